/// The names in one Swift file: the types that it declares, and every capitalized word of its code.
///
/// A scanner of tokens, not a parser: it knows comments, strings with what is interpolated in them, and braces.
struct SwiftNames {
    /// Types at the top level that other files can name.
    private(set) var declared: Set<String> = []
    /// Types at any level, private ones and type aliases among them.
    private(set) var declaredInside: Set<String> = []
    /// Capitalized words of the code, without members of something (`Grid.Cell` has `Grid` alone).
    private(set) var used: Set<String> = []
    /// Whether every brace has its counterpart. Otherwise the scanner did not understand the file.
    var isBalanced: Bool { depth == 0 }

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private var declaration = Declaration.none
    private var isPrivate = false

    /// What the words before say of the next one.
    private enum Declaration {
        case none
        case name
        case module
    }

    private static let typeKeywords: Set<String> = ["class", "struct", "enum", "protocol", "actor", "typealias"]
    private static let otherKeywords: Set<String> = ["extension", "func", "var", "let", "init", "operator", "macro"]

    init(_ text: String) {
        bytes = Array(text.utf8)
        scan(untilParenthesis: false)
    }

    /// Reads code to its end, or to the parenthesis that closes an interpolation.
    private mutating func scan(untilParenthesis isInterpolation: Bool) {
        var parentheses = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case ascii("/") where next == ascii("/"): skipLine()
            case ascii("/") where next == ascii("*"): skipComment()
            case ascii("\""): skipString(marks: 0)
            case ascii("#"): skipMarks()
            case ascii("{"), ascii("}"):
                depth += byte == ascii("{") ? 1 : -1
                position += 1
            case ascii("("), ascii(")"):
                parentheses += byte == ascii("(") ? 1 : -1
                position += 1
                if isInterpolation, parentheses < 0 { return }
            case _ where Self.isWord(byte): readWord()
            default: position += 1
            }
        }
    }

    private mutating func readWord() {
        let start = position
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        let isMember = start > 0 && bytes[start - 1] == ascii(".")
        switch (declaration, word) {
        case (.name, "func"), (.name, "var"), (.name, "let"): declaration = .none  // `class func`
        case (.name, _): declare(word)
        case (.module, _): if !Self.typeKeywords.contains(word) { declaration = .none }
        case (.none, "import"): declaration = .module
        case (.none, "private"), (.none, "fileprivate"): isPrivate = true
        case (.none, _) where isMember: break
        case (.none, _) where Self.typeKeywords.contains(word): declaration = .name
        case (.none, _) where Self.otherKeywords.contains(word): isPrivate = false
        default: if (65...90).contains(bytes[start]) { used.insert(word) }
        }
    }

    private mutating func declare(_ name: String) {
        declaredInside.insert(name)
        if depth == 0, !isPrivate { declared.insert(name) }
        (declaration, isPrivate) = (.none, false)
    }

    private var next: UInt8? { position + 1 < bytes.count ? bytes[position + 1] : nil }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != ascii("\n") { position += 1 }
    }

    private mutating func skipComment() {
        var level = 0
        repeat {
            let pair = (bytes[position], next)
            let isMark = pair == (ascii("/"), ascii("*")) || pair == (ascii("*"), ascii("/"))
            if isMark { level += pair.0 == ascii("/") ? 1 : -1 }
            position += isMark ? 2 : 1
        } while level > 0 && position < bytes.count
    }

    /// `#"…"#`, or a directive.
    private mutating func skipMarks() {
        var marks = 0
        while position < bytes.count, bytes[position] == ascii("#") {
            marks += 1
            position += 1
        }
        if position < bytes.count, bytes[position] == ascii("\"") { skipString(marks: marks) }
    }

    /// A string, with the code that is interpolated in it read as code.
    /// - Parameter marks: how many `#` stand around it.
    private mutating func skipString(marks: Int) {
        let quotes = starts(with: "\"\"\"", at: position) ? 3 : 1
        let hashes = String(repeating: "#", count: marks)
        let end = String(repeating: "\"", count: quotes) + hashes
        position += quotes
        while position < bytes.count, !starts(with: end, at: position) {
            if quotes == 1, bytes[position] == ascii("\n") { return }
            guard bytes[position] == ascii("\\"), starts(with: hashes, at: position + 1) else {
                position += 1
                continue
            }
            position += 1 + marks
            let isCode = position < bytes.count && bytes[position] == ascii("(")
            position += 1
            if isCode { scan(untilParenthesis: true) }
        }
        position += end.utf8.count
    }

    private func starts(with text: String, at start: Int) -> Bool {
        start + text.utf8.count <= bytes.count && zip(bytes[start...], text.utf8).allSatisfy { $0 == $1 }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 95, 97...122, 128...255: true
        default: false
        }
    }
}

private func ascii(_ scalar: Unicode.Scalar) -> UInt8 { UInt8(ascii: scalar) }
