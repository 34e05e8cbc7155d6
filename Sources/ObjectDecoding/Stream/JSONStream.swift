import ByteFormats

/// Walks over JSON text and reports its parts to a sink. Numbers stay as written, escaped halves of surrogate pairs become U+FFFD, and
/// nesting has no limit: an open container takes one byte.
struct JSONStream {
    private var scanner: JSONScanner
    /// For each open container, whether it is an object.
    private var open: [Bool] = []

    /// Writes JSON text to a sink.
    /// - Throws: a refusal unless all of the bytes are JSON in UTF-8 whose texts are written exactly.
    static func write(_ text: UnsafeRawBufferPointer, to sink: inout some JSONSink) throws(Refusal) {
        guard text.isUTF8 else { throw Refusal() }
        let isExact: Bool
        do throws(JSONError) {
            var stream = JSONStream(JSONScanner(text, repairsSurrogates: true, isUTF8: true))
            try stream.run(&sink)
            isExact = !stream.scanner.hasRepaired
        } catch {
            throw Refusal()
        }
        if !isExact { throw Refusal(isInexact: true) }
    }

    /// Writes JSON text to a sink.
    /// - Returns: whether every text is what was written; false if a half of a surrogate pair became U+FFFD.
    /// - Throws: the first error. Parts before it have been written.
    static func read(_ text: UnsafeRawBufferPointer, into sink: inout some JSONSink) throws(JSONError) -> Bool {
        var stream = JSONStream(JSONScanner(text, repairsSurrogates: true))
        try stream.run(&sink)
        return !stream.scanner.hasRepaired
    }

    private init(_ scanner: JSONScanner) { self.scanner = scanner }

    private mutating func run(_ sink: inout some JSONSink) throws(JSONError) {
        repeat {
            scanner.skipSpace()
            switch scanner.current {
            case UInt8(ascii: "{"): try begin(isObject: true, &sink)
            case UInt8(ascii: "["): try begin(isObject: false, &sink)
            default:
                try scalar(&sink)
                try finish(&sink)
            }
        } while !open.isEmpty
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw scanner.error("nothing should follow the value") }
    }

    private mutating func begin(isObject: Bool, _ sink: inout some JSONSink) throws(JSONError) {
        scanner.position += 1
        open.append(isObject)
        if isObject { sink.beginDictionary() } else { sink.beginList(isSet: false) }
        scanner.skipSpace()
        if scanner.current == Self.closing(isObject) { return try finish(&sink) }
        if isObject { try name(isFirst: true, &sink) } else { sink.element(isFirst: true) }
    }

    /// Closes the containers that end after a value, up to the next value.
    private mutating func finish(_ sink: inout some JSONSink) throws(JSONError) {
        while let isObject = open.last {
            scanner.skipSpace()
            if scanner.consume(",") {
                if isObject { try name(isFirst: false, &sink) } else { sink.element(isFirst: false) }
                return
            }
            guard scanner.current == Self.closing(isObject) else {
                throw scanner.error("a comma or the end of the \(isObject ? "object" : "array") should be here")
            }
            scanner.position += 1
            open.removeLast()
            if isObject { sink.endFields() } else { sink.endList(isSet: false) }
        }
    }

    private static func closing(_ isObject: Bool) -> UInt8 { UInt8(ascii: isObject ? "}" : "]") }

    private mutating func name(isFirst: Bool, _ sink: inout some JSONSink) throws(JSONError) {
        scanner.skipSpace()
        guard scanner.current == UInt8(ascii: "\"") else {
            throw scanner.error("the name of a member should be here, in quotes")
        }
        if let plain = try scanner.string() {
            sink.key(plain, isFirst: isFirst)
        } else {
            scanner.unescaped.withUnsafeBytes { sink.key($0, isFirst: isFirst) }
        }
        scanner.skipSpace()
        guard scanner.consume(":") else { throw scanner.error("a colon should be here") }
    }

    private mutating func scalar(_ sink: inout some JSONSink) throws(JSONError) {
        switch scanner.current {
        case UInt8(ascii: "\""):
            if let plain = try scanner.string() {
                sink.text(plain)
            } else {
                scanner.unescaped.withUnsafeBytes { sink.text($0) }
            }
        case UInt8(ascii: "t"):
            try scanner.word("true")
            sink.bool(true)
        case UInt8(ascii: "f"):
            try scanner.word("false")
            sink.bool(false)
        case UInt8(ascii: "n"):
            try scanner.word("null")
            sink.null()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): sink.number(try scanner.number())
        default:
            throw scanner.error(
                scanner.isAtEnd ? "the text ends where a value should be" : "a value should be here")
        }
    }
}
