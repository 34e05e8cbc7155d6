import ByteFormats

/// Walks over JSON text and reports its parts to a sink. Numbers stay as written, and nesting has no limit: an open
/// container takes one bit.
struct JSONStream {
    private let text: UnsafeRawBufferPointer
    private var position = 0
    /// For each open container, whether it is an object.
    private var open: [Bool] = []
    private var scratch: [UInt8] = []

    /// Writes JSON text to a sink.
    /// - Throws: a refusal unless all of the bytes are JSON in UTF-8.
    static func write(_ text: UnsafeRawBufferPointer, to sink: inout some ValueSink) throws(Refusal) {
        guard text.isUTF8 else { throw Refusal() }
        var stream = JSONStream(text: text)
        try stream.run(&sink)
    }

    private init(text: UnsafeRawBufferPointer) { self.text = text }

    private mutating func run(_ sink: inout some ValueSink) throws(Refusal) {
        repeat {
            skipSpace()
            switch current {
            case UInt8(ascii: "{"): try begin(isObject: true, &sink)
            case UInt8(ascii: "["): try begin(isObject: false, &sink)
            default:
                try scalar(&sink)
                try finish(&sink)
            }
        } while !open.isEmpty
        skipSpace()
        guard position == text.count else { throw Refusal() }
    }

    private mutating func begin(isObject: Bool, _ sink: inout some ValueSink) throws(Refusal) {
        position += 1
        open.append(isObject)
        if isObject { sink.beginDictionary() } else { sink.beginList(isSet: false) }
        skipSpace()
        if current == Self.closing(isObject) { return try finish(&sink) }
        if isObject { try name(isFirst: true, &sink) } else { sink.element(isFirst: true) }
    }

    /// Closes the containers that end after a value, up to the next value.
    private mutating func finish(_ sink: inout some ValueSink) throws(Refusal) {
        while let isObject = open.last {
            skipSpace()
            if current == UInt8(ascii: ",") {
                position += 1
                if isObject { try name(isFirst: false, &sink) } else { sink.element(isFirst: false) }
                return
            }
            guard current == Self.closing(isObject) else { throw Refusal() }
            position += 1
            open.removeLast()
            if isObject { sink.endFields() } else { sink.endList(isSet: false) }
        }
    }

    private static func closing(_ isObject: Bool) -> UInt8 { UInt8(ascii: isObject ? "}" : "]") }

    private mutating func name(isFirst: Bool, _ sink: inout some ValueSink) throws(Refusal) {
        skipSpace()
        guard current == UInt8(ascii: "\"") else { throw Refusal() }
        if let plain = try plainString() {
            sink.key(plain, isFirst: isFirst)
        } else {
            scratch.withUnsafeBytes { sink.key($0, isFirst: isFirst) }
        }
        skipSpace()
        guard current == UInt8(ascii: ":") else { throw Refusal() }
        position += 1
    }

    private mutating func scalar(_ sink: inout some ValueSink) throws(Refusal) {
        switch current {
        case UInt8(ascii: "\""):
            if let plain = try plainString() {
                sink.text(plain)
            } else {
                scratch.withUnsafeBytes { sink.text($0) }
            }
        case UInt8(ascii: "t"):
            try word("true")
            sink.bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            sink.bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            sink.null()
        default: sink.number(try number())
        }
    }

    /// The byte at the position; 0 at the end, since JSON does not use 0.
    private var current: UInt8 { position < text.count ? text[position] : 0 }

    private mutating func skipSpace() {
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func word(_ word: StaticString) throws(Refusal) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[offset] else { throw Refusal() }
            position += 1
        }
    }

    private mutating func number() throws(Refusal) -> UnsafeRawBufferPointer {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        let first = position
        try digits()
        if text[first] == UInt8(ascii: "0"), position > first + 1 { throw Refusal() }
        if current == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if current | 0x20 == UInt8(ascii: "e") {
            position += 1
            if current == UInt8(ascii: "-") || current == UInt8(ascii: "+") { position += 1 }
            try digits()
        }
        return UnsafeRawBufferPointer(rebasing: text[start..<position])
    }

    private mutating func digits() throws(Refusal) {
        let start = position
        while current &- UInt8(ascii: "0") < 10 { position += 1 }
        guard position > start else { throw Refusal() }
    }

    /// Returns the string at the position as it is in the text; nil if it has escapes: `scratch` then has it without
    /// them.
    private mutating func plainString() throws(Refusal) -> UnsafeRawBufferPointer? {
        position += 1
        var plain = position
        var hasEscape = false
        while true {
            position = text.firstSpecial(from: position)
            switch current {
            case UInt8(ascii: "\""):
                let rest = UnsafeRawBufferPointer(rebasing: text[plain..<position])
                position += 1
                if !hasEscape { return rest }
                scratch.append(contentsOf: rest)
                return nil
            case UInt8(ascii: "\\"):
                if !hasEscape { scratch.removeAll(keepingCapacity: true) }
                hasEscape = true
                scratch.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[plain..<position]))
                position += 1
                try escape()
                plain = position
            case 0x7F: position += 1
            default: throw Refusal()
            }
        }
    }

    private mutating func escape() throws(Refusal) {
        let byte = current
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"): scratch.append(scalar: try unicodeEscape())
        default: throw Refusal()
        }
    }

    /// Reads the digits after `\u`. Half of a surrogate pair, as older JavaScript wrote it, becomes U+FFFD.
    private mutating func unicodeEscape() throws(Refusal) -> UInt32 {
        let unit = try unit()
        guard unit >> 11 == 0x1B else { return unit }
        let afterUnit = position
        if unit < 0xDC00, current == UInt8(ascii: "\\"), position + 1 < text.count,
            text[position + 1] == UInt8(ascii: "u")
        {
            position += 2
            let low = try self.unit()
            if low >> 10 == 0x37 { return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00) }
        }
        position = afterUnit
        return 0xFFFD
    }

    private mutating func unit() throws(Refusal) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let byte = current
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: throw Refusal()
            }
            position += 1
        }
        return unit
    }
}

extension [UInt8] {
    /// Appends a scalar in UTF-8. It must not be half of a surrogate pair.
    mutating func append(scalar: UInt32) {
        switch scalar {
        case 0..<0x80: append(UInt8(scalar))
        case 0x80..<0x800:
            append(0xC0 | UInt8(scalar >> 6))
            append(0x80 | UInt8(scalar & 0x3F))
        case 0x800..<0x10000:
            append(0xE0 | UInt8(scalar >> 12))
            append(0x80 | UInt8(scalar >> 6 & 0x3F))
            append(0x80 | UInt8(scalar & 0x3F))
        default:
            append(0xF0 | UInt8(scalar >> 18 & 0x07))
            append(0x80 | UInt8(scalar >> 12 & 0x3F))
            append(0x80 | UInt8(scalar >> 6 & 0x3F))
            append(0x80 | UInt8(scalar & 0x3F))
        }
    }
}
