/// Splits an XML text into tags and the text between them. Entities declared in the text are not expanded, so nothing
/// grows.
struct XMLScanner {
    enum Piece: Equatable {
        case open(String)
        case close(String)
        /// `<name/>`
        case empty(String)
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    /// Whether the text declares itself a property list.
    private(set) var isList = false

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    /// Returns the next tag. Only white space, comments and declarations may come before it.
    mutating func tag() throws(DecodingError) -> Piece {
        while true {
            skipSpace()
            guard starts("<") else { throw error("a tag should be here") }
            if starts("<!--") {
                try skip(past: "-->")
            } else if starts("<?") {
                try skip(past: "?>")
            } else if starts("<!") {
                try skipDeclaration()
            } else {
                return try element()
            }
        }
    }

    /// Returns the text up to the next tag, without comments and with entities resolved.
    mutating func text() throws(DecodingError) -> String {
        var text: [UInt8] = []
        while position < bytes.count {
            if starts("<![CDATA[") {
                let start = position + 9
                try skip(past: "]]>")
                text += bytes[start..<position - 3]
            } else if starts("<!--") {
                try skip(past: "-->")
            } else if starts("<") {
                break
            } else if starts("&") {
                text += try entity()
            } else {
                let start = position
                while position < bytes.count, bytes[position] != lessThan, bytes[position] != ampersand {
                    position += 1
                }
                text += bytes[start..<position]
            }
        }
        guard let string = String(validating: text, as: UTF8.self) else {
            throw error("the text before this is not UTF-8")
        }
        return string
    }

    func error(_ problem: String) -> DecodingError {
        DecodingError("The XML property list is malformed: byte \(position + 1): \(problem).", isList ? .likely : .none)
    }

    private mutating func element() throws(DecodingError) -> Piece {
        position += 1
        let isClosing = consume("/")
        let start = position
        while position < bytes.count, ![0x20, 0x09, 0x0A, 0x0D, slash, greaterThan].contains(bytes[position]) {
            position += 1
        }
        guard position - start <= Self.longestName else { throw error("the name of a tag is too long") }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        while position < bytes.count, bytes[position] != greaterThan { position += 1 }
        guard position < bytes.count else { throw error("the text ends inside a tag") }
        let isEmpty = !isClosing && bytes[position - 1] == slash
        position += 1
        if name == "plist" { isList = true }
        return isClosing ? .close(name) : isEmpty ? .empty(name) : .open(name)
    }

    /// Skips `<!DOCTYPE …>`. One that declares entities is rejected as hostile.
    private mutating func skipDeclaration() throws(DecodingError) {
        while position < bytes.count, bytes[position] != greaterThan {
            guard bytes[position] != UInt8(ascii: "[") else { throw error("declarations are not read") }
            position += 1
        }
        guard consume(">") else { throw error("the text ends inside a declaration") }
    }

    private mutating func entity() throws(DecodingError) -> [UInt8] {
        let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
        guard let end else { throw error("an entity has no end") }
        let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
        guard let scalar = Self.scalar(of: name) else { throw error("the entity \(name) is unknown") }
        position = end + 1
        return Array(String(Character(scalar)).utf8)
    }

    private static func scalar(of name: String) -> Unicode.Scalar? {
        if name.hasPrefix("#x") { return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init) }
        if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) }
        return ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"][name]
    }

    private mutating func skip(past mark: StaticString) throws(DecodingError) {
        while position < bytes.count, !starts(mark) { position += 1 }
        guard position < bytes.count else { throw error("the text ends where \(mark) should be") }
        position += mark.utf8CodeUnitCount
    }

    private mutating func consume(_ mark: StaticString) -> Bool {
        guard starts(mark) else { return false }
        position += mark.utf8CodeUnitCount
        return true
    }

    private func starts(_ mark: StaticString) -> Bool {
        guard mark.utf8CodeUnitCount <= bytes.count - position else { return false }
        return (0..<mark.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == mark.utf8Start[$0] }
    }

    private static let longestName = 64
}

private let lessThan = UInt8(ascii: "<")
private let greaterThan = UInt8(ascii: ">")
private let ampersand = UInt8(ascii: "&")
private let slash = UInt8(ascii: "/")
