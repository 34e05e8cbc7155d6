import Foundation

/// The values of a JSON text, in the order in which they begin: one pass over the bytes, nothing copied.
///
/// It accepts the grammar of RFC 8259 in UTF-8 and no more. Texts in strings are checked when they are read.
struct JSONTape {
    enum Kind: UInt8 { case null, yes, no, integer, real, string, object, array }

    struct Node {
        var kind: Kind
        /// Whether a string, or a key of an object, has a backslash or a byte above 127.
        var isSpecial = false
        /// Whether keys of an object may be repeated.
        var mayRepeat = false
        /// The bytes of the value, for a string those between its quotation marks.
        var start: Int32
        var end: Int32
        /// The node after this value, with all inside it.
        var next: Int32
        /// Entries or elements.
        var count: Int32 = 0
    }

    private static let depthLimit = 400

    private(set) var nodes: [Node] = []
    /// The containers around the place that is being parsed, and which lengths their keys have.
    private var open: [Int] = []
    private var keyBits: [UInt64] = []

    mutating func removeAll() {
        nodes.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        keyBits.removeAll(keepingCapacity: true)
    }

    /// Reads a whole text. Returns false if it is not JSON, or nested deeper than the limit.
    mutating func parse(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count < Int(Int32.max) else { return false }
        var place = 0
        Self.skipSpace(bytes, &place)
        guard value(bytes, &place) else { return false }
        while let container = open.last {
            Self.skipSpace(bytes, &place)
            guard place < bytes.count else { return false }
            let isObject = nodes[container].kind == .object
            if bytes[place] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                place += 1
                nodes[container].end = Int32(place)
                nodes[container].next = Int32(nodes.count)
                open.removeLast()
                keyBits.removeLast()
                continue
            }
            if nodes[container].count > 0 {
                guard bytes[place] == UInt8(ascii: ",") else { return false }
                place += 1
                Self.skipSpace(bytes, &place)
            }
            if isObject {
                guard key(bytes, &place, container) else { return false }
            }
            nodes[container].count += 1
            guard value(bytes, &place) else { return false }
        }
        Self.skipSpace(bytes, &place)
        return place == bytes.count
    }

    private mutating func key(_ bytes: UnsafeRawBufferPointer, _ place: inout Int, _ container: Int) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\""), string(bytes, &place) else { return false }
        let key = nodes[nodes.count - 1]
        if key.isSpecial { nodes[container].isSpecial = true }
        // Few objects of few keys have two of one hash.
        let text = UnsafeRawBufferPointer(rebasing: bytes[Int(key.start)..<Int(key.end)])
        let bit = 1 << (ScannedText(text).hash & 63) as UInt64
        if keyBits[keyBits.count - 1] & bit != 0 { nodes[container].mayRepeat = true }
        keyBits[keyBits.count - 1] |= bit
        Self.skipSpace(bytes, &place)
        guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { return false }
        place += 1
        Self.skipSpace(bytes, &place)
        return true
    }

    @inline(__always) private static func skipSpace(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x0a, 0x0d, 0x09: place += 1
            default: return
            }
        }
    }

    /// Reads a scalar, or the beginning of a container.
    private mutating func value(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> Bool {
        guard place < bytes.count else { return false }
        switch bytes[place] {
        case UInt8(ascii: "\""): return string(bytes, &place)
        case UInt8(ascii: "{"): return begin(.object, &place)
        case UInt8(ascii: "["): return begin(.array, &place)
        case UInt8(ascii: "t"): return word("true", .yes, bytes, &place)
        case UInt8(ascii: "f"): return word("false", .no, bytes, &place)
        case UInt8(ascii: "n"): return word("null", .null, bytes, &place)
        default: return number(bytes, &place)
        }
    }

    private mutating func begin(_ kind: Kind, _ place: inout Int) -> Bool {
        guard open.count < Self.depthLimit else { return false }
        open.append(nodes.count)
        keyBits.append(0)
        add(kind, place, place)
        place += 1
        return true
    }

    @inline(__always) private mutating func add(_ kind: Kind, _ start: Int, _ end: Int, isSpecial: Bool = false) {
        nodes.append(
            Node(
                kind: kind, isSpecial: isSpecial, start: Int32(truncatingIfNeeded: start),
                end: Int32(truncatingIfNeeded: end), next: Int32(truncatingIfNeeded: nodes.count + 1)))
    }

    private mutating func word(
        _ word: StaticString, _ kind: Kind, _ bytes: UnsafeRawBufferPointer, _ place: inout Int
    ) -> Bool {
        let count = word.utf8CodeUnitCount
        guard place + count <= bytes.count, memcmp(bytes.baseAddress! + place, word.utf8Start, count) == 0 else {
            return false
        }
        add(kind, place, place + count)
        place += count
        return true
    }

    private mutating func string(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> Bool {
        let start = place + 1
        var (end, isSpecial) = (start, false)
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") {
                add(.string, start, end, isSpecial: isSpecial)
                place = end + 1
                return true
            }
            guard byte >= 0x20 else { return false }
            if byte == UInt8(ascii: "\\") {
                isSpecial = true
                end += 1
                // Foundation takes the next four bytes, whatever they are, and so finds another end.
                if end < bytes.count, bytes[end] == UInt8(ascii: "u") {
                    guard end + 4 < bytes.count, bytes[end + 1...end + 4].allSatisfy(\.isHexDigit) else { return false }
                }
            } else if byte >= 0x80 {
                isSpecial = true
            }
            end += 1
        }
        return false
    }

    private mutating func number(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> Bool {
        let start = place
        var (end, kind) = (place, Kind.integer)
        func digits() -> Bool {
            let first = end
            while end < bytes.count, bytes[end] &- 0x30 < 10 { end += 1 }
            return end > first
        }
        if bytes[end] == UInt8(ascii: "-") { end += 1 }
        let first = end
        guard digits(), bytes[first] != 0x30 || end == first + 1 else { return false }
        // Foundation refuses a zero with an exponent.
        if bytes[first] == 0x30, end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") { return false }
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            kind = .real
            end += 1
            guard digits() else { return false }
        }
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
            kind = .real
            end += 1
            if end < bytes.count, bytes[end] == UInt8(ascii: "-") || bytes[end] == UInt8(ascii: "+") { end += 1 }
            guard digits() else { return false }
        }
        add(kind, start, end)
        place = end
        return true
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 6 }
}
