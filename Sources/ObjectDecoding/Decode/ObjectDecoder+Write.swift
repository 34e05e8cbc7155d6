import ByteFormats

/// Writes the JSON form of stored bytes without building a value, which is several times as fast and needs no memory
/// beyond the output. What the streams refuse is decoded to a value; its form is the same.
extension ObjectDecoder {
    /// Writes the JSON form of the decoded bytes. It is complete unless `output.isPartial` is set afterwards.
    package func write(_ bytes: UnsafeRawBufferPointer, to output: inout JSONOutput) {
        if formats.isEmpty {
            let start = output.bytes.count
            // Streamed output cannot be undone, so the bytes are walked once before anything is written.
            var (isRefused, none) = (false, NoSink())
            if output.isStreaming { isRefused = (try? stream(bytes, to: &none, layer: 0)) == nil }
            if !isRefused {
                do throws(Refusal) {
                    return try stream(bytes, to: &output, layer: 0)
                } catch {
                    output.bytes.removeSubrange(start...)
                }
            }
        }
        var whole = self
        whole.options = options.whole(bytes.count)
        let object = whole.decode(bytes)
        if case .bytes(let undecoded, let error) = object.value, object.formats == [.hex] {
            return undecoded.withUnsafeBytes { output.append(undecoded: $0, error: error) }
        }
        output.append(object)
    }

    /// Tries the formats that the streams know, in order.
    func stream(_ bytes: UnsafeRawBufferPointer, to sink: inout some ValueSink, layer: Int) throws(Refusal) {
        if PropertyListTable.begins(bytes) { return try PropertyListStream.write(bytes, to: &sink) }
        let text = UnsafeRawBufferPointer(rebasing: PlainText.withoutMark(bytes))
        guard let first = text.first(where: { $0 > 0x20 }), first != UInt8(ascii: "<"), !PlainText.mayBeUTF16(bytes)
        else { throw Refusal() }
        if Inflate.mayBegin(bytes) {
            guard layer < options.layerLimit,
                let content = try? Inflate.content(bytes, limit: options.whole(bytes.count).inflatedLimit),
                !content.isCut
            else { throw Refusal() }
            let result = content.bytes.withUnsafeBytes { bytes in
                Result { () throws(Refusal) in try stream(bytes, to: &sink, layer: layer + 1) }
            }
            return try result.get()
        }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            // Text that is not JSON is refused before anything is written, because it may be plain text.
            var none = NoSink()
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                return try JSONStream.write(text, to: &sink)
            }
            let isJSON: Bool
            do throws(Refusal) {
                try JSONStream.write(text, to: &none)
                isJSON = true
            } catch {
                if error.isInexact { throw error }
                isJSON = false
            }
            if isJSON { return try JSONStream.write(text, to: &sink) }
        default: break
        }
        guard PlainText.isReadable(bytes) else { throw Refusal() }
        sink.text(text)
    }
}

extension JSONOutput {
    /// Appends a decoded object.
    mutating func append(_ object: DecodedObject) {
        var json: [UInt8] = []
        object.appendJSON(to: &json)
        append(json: json)
        if object.isPartial { isPartial = true }
    }

    /// Appends JSON unchanged except for characters that are unsafe on a terminal.
    package mutating func append(json: [UInt8]) {
        guard isTerminalSafe else { return bytes.append(contentsOf: json) }
        json.withUnsafeBytes { bytes.append(json: $0) }
    }
}

extension [UInt8] {
    /// Appends JSON with the unsafe characters of its strings as escapes. JSON itself requires escapes below 32 only.
    package mutating func append(json: UnsafeRawBufferPointer) {
        var plain = 0
        var place = 0
        while place < json.count {
            if UnsafeRawBufferPointer.beginsUnsafe(json[place]), let (scalar, length) = json.unsafeScalar(at: place) {
                append(contentsOf: UnsafeRawBufferPointer(rebasing: json[plain..<place]))
                let digits = String(scalar, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
                place += length
                plain = place
            } else {
                place += 1
            }
        }
        append(contentsOf: UnsafeRawBufferPointer(rebasing: json[plain...]))
    }
}
