/// A property of a value, by its key path: what a declared list or index goes by.
struct FieldPath: Hashable, Sendable {
    // `AnyKeyPath` is immutable; the standard library declares only literals of key paths as Sendable.
    nonisolated(unsafe) let path: AnyKeyPath

    init(_ path: AnyKeyPath) { self.path = path }

    /// The type of the property.
    var type: any Any.Type { Swift.type(of: path).valueType }

    /// The names of the properties, such as `author.name`; nil if one of them is computed, whose name key paths do not keep.
    var name: String? {
        let text = "\(path)"
        guard text.hasPrefix("\\"), let dot = endOfType(in: text) else { return nil }
        let names = text[text.index(after: dot)...]
        return names.contains("<") ? nil : names.filter { $0 != "?" && $0 != "!" }
    }

    /// The first dot that is not among the arguments of a generic type.
    private func endOfType(in text: String) -> String.Index? {
        var depth = 0
        return text.firstIndex { character in
            if character == "<" { depth += 1 }
            if character == ">" { depth -= 1 }
            return character == "." && depth == 0
        }
    }

    /// The path in messages.
    var description: String { name.map { "\\.\($0)" } ?? "a computed property" }

    /// The name for the property's column. Stops the program for a computed property, whose changes nothing can notice.
    func columnName(for what: String) -> String {
        guard let name else {
            fatalError(
                "\(what) cannot go by the computed property \(path). Store it, or register an extension with a handler."
            )
        }
        return name
    }
}
