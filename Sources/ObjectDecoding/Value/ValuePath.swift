/// A value's position inside another, in readable form: `$.sender.name`, `$.tags[3]`, `$["a key"]`.
///
/// A value whose key is not a string is named by the key's position: `$[key 3]`. If a dictionary has a key twice, both
/// values have the same path.
package struct ValuePath: Hashable, Sendable, CustomStringConvertible {
    package private(set) var description: String

    private init(_ description: String) { self.description = description }

    /// The whole value.
    package static let root = ValuePath("$")

    package func field(_ name: String) -> ValuePath {
        var path = self
        path.append(field: name)
        return path
    }

    package func element(_ index: Int) -> ValuePath {
        var path = self
        path.append(element: index)
        return path
    }

    mutating func append(field name: String) {
        if name.isIdentifier { return description += ".\(name)" }
        // By scalars: a quotation mark with a combining mark behind it ends the name, too.
        let quoted = name.unicodeScalars.map { "\\\"".unicodeScalars.contains($0) ? "\\\($0)" : String($0) }.joined()
        description += "[\"\(quoted)\"]"
    }

    mutating func append(element index: Int) { description += "[\(index)]" }

    package func key(_ index: Int) -> ValuePath { ValuePath("\(description)[key \(index)]") }

    /// The path of the decoded content of the data at this path.
    package var content: ValuePath { ValuePath("\(description).$content") }
}

extension String {
    /// Whether a path can contain it without quotes.
    fileprivate var isIdentifier: Bool {
        guard let first = unicodeScalars.first, first.isLetter else { return false }
        return unicodeScalars.allSatisfy { $0.isLetter || $0.isDigit || $0 == "-" }
    }
}

extension Unicode.Scalar {
    /// Unicode's tables are slow, and nearly all names are ASCII.
    fileprivate var isLetter: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "_": true
        default: value >= 0x80 && properties.isAlphabetic
        }
    }

    fileprivate var isDigit: Bool { ("0"..."9").contains(self) || (value >= 0x80 && properties.numericType != nil) }
}
