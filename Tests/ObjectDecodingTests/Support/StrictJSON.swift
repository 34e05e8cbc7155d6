/// Whether a text is JSON, by an independent implementation of its grammar.
struct StrictJSON {
    struct Malformed: Error {
        let position: Int
    }

    private let text: [UInt8]
    private var position = 0

    init(_ text: String) { self.text = Array(text.utf8) }

    mutating func read() throws {
        try value()
        guard position == text.count else { throw Malformed(position: position) }
    }

    private mutating func value() throws {
        switch next {
        case "{":
            try list("}") {
                try $0.string(); try $0.expect(":"); try $0.value()
            }
        case "[": try list("]") { try $0.value() }
        case "\"": try string()
        default: try word()
        }
    }

    private mutating func list(_ end: Character, _ element: (inout StrictJSON) throws -> Void) throws {
        position += 1
        if next == end { return position += 1 }
        while true {
            try element(&self)
            if next == end { return position += 1 }
            try expect(",")
        }
    }

    private mutating func string() throws {
        try expect("\"")
        while let byte = current, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw Malformed(position: position) }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        try expect("\"")
    }

    private mutating func word() throws {
        let start = position
        while let byte = current, !",]}:".utf8.contains(byte) { position += 1 }
        let word = String(decoding: text[start..<position], as: UTF8.self)
        if ["true", "false", "null"].contains(word) { return }
        guard word.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else {
            throw Malformed(position: start)
        }
    }

    private mutating func expect(_ character: Character) throws {
        guard next == character else { throw Malformed(position: position) }
        position += 1
    }

    private var current: UInt8? { position < text.count ? text[position] : nil }
    private var next: Character? { current.map { Character(Unicode.Scalar($0)) } }
}
