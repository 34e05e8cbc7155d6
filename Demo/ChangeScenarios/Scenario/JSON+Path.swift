extension JSON {
    /// The path to a value inside: the indexes of elements and members.
    package typealias Path = [Int]

    /// The number of elements or members; 0 for other values.
    package var count: Int {
        switch self {
        case .array(let elements): elements.count
        case .object(let members): members.count
        default: 0
        }
    }

    /// The value at a path, which must exist.
    package subscript(path: Path) -> JSON {
        get {
            guard let first = path.first else { return self }
            return self[first][Array(path.dropFirst())]
        }
        set {
            guard let first = path.first else {
                self = newValue
                return
            }
            self[first][Array(path.dropFirst())] = newValue
        }
    }

    private subscript(index: Int) -> JSON {
        get {
            switch self {
            case .array(let elements): elements[index]
            case .object(let members): members[index].value
            default: preconditionFailure("A path leads into \(kind).")
            }
        }
        set {
            switch self {
            case .array(var elements):
                elements[index] = newValue
                self = .array(elements)
            case .object(var members):
                members[index].value = newValue
                self = .object(members)
            default: preconditionFailure("A path leads into \(kind).")
            }
        }
    }

    /// Returns the value without some of the elements or members at a path.
    func removing(_ range: Range<Int>, at path: Path) -> JSON {
        var copy = self
        switch self[path] {
        case .array(var elements):
            elements.removeSubrange(range)
            copy[path] = .array(elements)
        case .object(var members):
            members.removeSubrange(range)
            copy[path] = .object(members)
        default: preconditionFailure("Only an array or an object has something to be removed.")
        }
        return copy
    }

    /// Returns the value with a number at a path.
    package func setting(_ number: Int, at path: Path) -> JSON {
        var copy = self
        copy[path] = .integer(number)
        return copy
    }

    /// Returns the value with two neighbouring elements of the array at a path joined, if both are arrays.
    func joining(_ index: Int, at path: Path) -> JSON? {
        guard case .array(var elements) = self[path], index + 1 < elements.count,
            case .array(let first) = elements[index], case .array(let second) = elements[index + 1]
        else { return nil }
        elements[index...index + 1] = [.array(first + second)]
        var copy = self
        copy[path] = .array(elements)
        return copy
    }
}
