import ListChanges

/// A dictionary by name for few values, as of the extensions that a transaction uses. The first eight are compared one by one, which takes a
/// tenth of the time of a hash.
///
/// With a table from the second value on, hashes of names were about 2 % of the instructions of a commit to an inbox, which has three extensions.
struct NamedValues<Value> {
    // Two arrays: to look at a name in an array of pairs copies the value beside it.
    private var names: [String] = []
    private var values: [Value] = []
    private var others = ExactDictionary<Value>()
    private static var mostOfFew: Int { 8 }

    subscript(name: String) -> Value? {
        get {
            if let index = index(of: name) { return values[index] }
            return others.isEmpty ? nil : others[name]
        }
        set {
            if let index = index(of: name) {
                if let newValue { values[index] = newValue } else { remove(at: index) }
            } else if let newValue, names.count < Self.mostOfFew, others.isEmpty || others[name] == nil {
                names.append(name)
                values.append(newValue)
            } else {
                others[name] = newValue
            }
        }
    }

    private func index(of name: String) -> Int? {
        for index in names.indices where names[index].hasSameBytes(as: name) { return index }
        return nil
    }

    private mutating func remove(at index: Int) {
        names.remove(at: index)
        values.remove(at: index)
    }

    /// Removes the values that the body does not keep.
    mutating func filter(_ keeps: (String, Value) -> Bool) {
        for index in names.indices.reversed() where !keeps(names[index], values[index]) { remove(at: index) }
        for (name, value) in others where !keeps(name, value) { others[name] = nil }
    }
}
