@_spi(Reflection) import Swift

/// A property of a value, by its key path: what a declared list or index goes by.
struct FieldPath: Hashable, Sendable {
    // `AnyKeyPath` is immutable; the standard library declares only literals of key paths as Sendable.
    nonisolated(unsafe) let path: AnyKeyPath

    init(_ path: AnyKeyPath) { self.path = path }

    /// The type of the property.
    var type: any Any.Type { Swift.type(of: path).valueType }

    /// The names of the properties, such as `author.name`; nil if one of them is computed, whose name key paths do not keep.
    var name: String? { storedName ?? describedName }

    /// The name that the path's description has.
    var describedName: String? {
        // Interpolation would look up at run time how each part is printed.
        let text = Array(path.debugDescription.utf8)
        guard text.first == UInt8(ascii: "\\"), let dot = endOfType(in: text) else { return nil }
        let names = text[(dot + 1)...]
        guard !names.contains(UInt8(ascii: "<")) else { return nil }
        return String(decoding: names.filter { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "!") }, as: UTF8.self)
    }

    /// The name of a property that is stored within the value itself. In a process that has just begun, the description takes ten times as long,
    /// because it looks up at run time how a type is printed.
    var storedName: String? {
        guard let steps = storedSteps else { return nil }
        return steps.dropFirst().reduce(steps[0].name) { $0 + "." + $1.name }
    }

    /// The steps to a property that is stored within the value itself, at least one: those of the fields at its place. Nil for another property.
    var storedSteps: [Step]? {
        func place<Root>(in _: Root.Type) -> Int? {
            (path as? PartialKeyPath<Root>).flatMap { MemoryLayout<Root>.offset(of: $0) }
        }
        let root = Swift.type(of: path).rootType
        guard let place = _openExistential(root, do: place) else { return nil }
        var steps: [Step] = []
        return Self.findField(at: place, type, in: root, &steps) ? steps : nil
    }

    /// One property on the way to another one.
    struct Step {
        let name: String
        /// The type that has the property.
        let owner: any Any.Type
    }

    private static func findField(
        at place: Int, _ type: any Any.Type, in owner: any Any.Type, _ steps: inout [Step]
    ) -> Bool {
        func size<Field>(of _: Field.Type) -> Int { MemoryLayout<Field>.size }
        var isFound = false
        // An empty literal would look up its protocols at run time.
        _ = _forEachField(of: owner, options: _EachFieldOptions(rawValue: 0)) { name, start, field, kind in
            guard start <= place, place < start + _openExistential(field, do: size) else { return true }
            steps.append(Step(name: String(cString: name), owner: owner))
            isFound =
                start == place && field == type
                || kind == .struct && findField(at: place - start, type, in: field, &steps)
            return false
        }
        return isFound
    }

    /// The first dot that is not among the arguments of a generic type.
    private func endOfType(in text: [UInt8]) -> Int? {
        var depth = 0
        return text.firstIndex { character in
            if character == UInt8(ascii: "<") { depth += 1 }
            if character == UInt8(ascii: ">") { depth -= 1 }
            return character == UInt8(ascii: ".") && depth == 0
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
