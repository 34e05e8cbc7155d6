import Foundation

extension ObjectDecoder {
    /// Appends the text of the decoded bytes that a search examines, with that of data among them which has a format of its own, as the
    /// readable form of a value unfolds it.
    package func searchText(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) {
        if formats.isEmpty {
            let contents = ContentText(self, size: bytes.count)
            var output = SearchOutput { contents.append($0, to: &$1) }
            swap(&output.bytes, &text)
            let start = output.bytes.count
            let isWritten = (try? stream(bytes, to: &output, layer: 0)) != nil
            swap(&output.bytes, &text)
            if isWritten { return }
            text.removeSubrange(start...)
        }
        var whole = self
        whole.options = options.whole(bytes.count)
        let contents = ContentText(self, size: bytes.count)
        whole.decode(bytes).value.appendSearchText(to: &text, limit: .max) { data, text in
            data.withUnsafeBytes { contents.append($0, to: &text) }
        }
    }
}

/// The text of data inside a value, within what bytes of that size can expand to.
private final class ContentText {
    private let decoder: ObjectDecoder
    /// The bytes that may still be expanded or decoded.
    private var rest: Int
    private var depth = 0

    /// Compressed bytes expand to at most 1,032 times as many. More is data that is referred to again and again.
    private static let (greatestRatio, least) = (1_100, 16 << 20)
    private static let maxDepth = 50

    init(_ decoder: ObjectDecoder, size: Int) {
        self.decoder = decoder
        rest = Self.least + Self.greatestRatio * size
    }

    func append(_ data: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        guard depth < Self.maxDepth, data.count <= rest, data.mayHaveContent else { return }
        depth += 1
        defer { depth -= 1 }
        guard data.isGzip else {
            rest -= data.count
            guard let content = decoder.decode(content: Array(data)) else { return }
            return append(content.value, to: &text)
        }
        let limit = min(rest, decoder.options.whole(data.count).inflatedLimit)
        guard let content = try? Inflate.content(data, limit: limit) else { return }
        rest -= content.bytes.count
        var inner = ObjectDecoder(options: decoder.options.whole(content.bytes.count))
        inner.options.inflatedLimit = max(0, rest)
        append(inner.decode(content.bytes).value, to: &text)
    }

    private func append(_ value: DecodedValue, to text: inout [UInt8]) {
        value.appendSearchText(to: &text, limit: .max) { data, text in
            data.withUnsafeBytes { self.append($0, to: &text) }
        }
    }
}

extension Collection<UInt8> {
    /// Whether data may have a format of its own, judged by its first bytes.
    var mayHaveContent: Bool {
        starts(with: "bplist00".utf8) || isGzip || (first.map { "{[<x".utf8.contains($0) } ?? false) && count > 1
    }

    fileprivate var isGzip: Bool { starts(with: [0x1f, 0x8b, 0x08]) }
}
