import Foundation

/// The large blobs of a line, taken out of it before it is read as JSON: one copy of each is in memory.
final class ImportAttachments {
    /// Bytes of base64 that are left in a line.
    private static let largeSize = 1 << 18
    /// How a blob begins. In a string its quotes would have a backslash before them.
    private static let opening = Array(#"{"$blob":""#.utf8)
    /// What no base64 has.
    private static let mark = "@"

    private var blobs: [UnsafeMutableRawBufferPointer] = []

    /// Decodes the large blobs of a line and leaves a mark in the place of each.
    init(from line: inout [UInt8]) {
        guard line.count > Self.largeSize else { return }
        var rest: [UInt8] = []
        var start = 0
        while let (value, end) = Self.next(in: line, from: start) {
            rest += line[start..<value]
            if end - value > Self.largeSize, let blob = Self.decoded(line, value..<end) {
                rest += Array("\(Self.mark)\(blobs.count)".utf8)
                blobs.append(blob)
            } else {
                rest += line[value..<end]
            }
            start = end
        }
        if !blobs.isEmpty { line = rest + line[start...] }
    }

    deinit { for blob in blobs { blob.deallocate() } }

    /// The blob in whose place a text stands; nil for one that is something else.
    subscript(_ text: String) -> UnsafeMutableRawBufferPointer? {
        guard text.hasPrefix(Self.mark), let index = Int(text.dropFirst()), blobs.indices ~= index else { return nil }
        return blobs[index]
    }

    /// Where the text of the next blob stands.
    private static func next(in line: [UInt8], from start: Int) -> (value: Int, end: Int)? {
        line.withUnsafeBytes { line in
            var place = start
            // No base64 has a dollar, so there are few.
            while let dollar = memchr(line.baseAddress! + place, 0x24, line.count - place) {
                place = line.baseAddress!.distance(to: dollar) + 1
                let first = place - 3
                guard first >= start, line[first...].starts(with: opening) else { continue }
                let value = first + opening.count
                guard let quote = memchr(line.baseAddress! + value, 0x22, line.count - value) else { return nil }
                place = line.baseAddress!.distance(to: quote)
                if place - value > largeSize { return (value, place) }
            }
            return nil
        }
    }

    /// Nil for what is no base64.
    private static func decoded(_ line: [UInt8], _ range: Range<Int>) -> UnsafeMutableRawBufferPointer? {
        guard range.count % 4 == 0 else { return nil }
        let blob = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count / 4 * 3, alignment: 8)
        var filled = 0
        // In pieces: Foundation copies what it decodes.
        for start in stride(from: range.lowerBound, to: range.upperBound, by: largeSize) {
            let end = min(start + largeSize, range.upperBound)
            guard let piece = Data(base64Encoded: Data(line[start..<end])), !piece.isEmpty,
                end == range.upperBound || piece.count == (end - start) / 4 * 3
            else {
                blob.deallocate()
                return nil
            }
            piece.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: blob[filled...]))
            filled += piece.count
        }
        return UnsafeMutableRawBufferPointer(rebasing: blob[..<filled])
    }
}
