/// A dictionary by names, which are equal if their bytes are. If one value of a copy changes, the copy still shares all but about √n of its n values
/// with the original; a `Dictionary` would copy them all.
///
/// The values are in one dictionary if there are at most 256. Otherwise they are spread over about √n dictionaries, by the hash of their names.
struct SharedDictionary<Value> {
    private var parts: [ExactDictionary<Value>] = [ExactDictionary()]
    private(set) var count = 0

    init() {}

    init(_ pairs: some Collection<(key: String, value: Value)>) {
        parts = Array(repeating: ExactDictionary(), count: Self.parts(for: pairs.count))
        let share = pairs.count / parts.count
        for place in parts.indices { parts[place].reserveCapacity(share + share / 4) }
        for (name, value) in pairs { insert(value, name) }
    }

    var isEmpty: Bool { count == 0 }

    /// A power of two.
    private static func parts(for count: Int) -> Int {
        if count <= 256 { return 1 }
        var parts = 16
        while 4 * parts * parts < count { parts *= 2 }
        return parts
    }

    private func place(of name: String) -> Int {
        parts.count == 1 ? 0 : Int(truncatingIfNeeded: name.byteHash) & (parts.count - 1)
    }

    private mutating func insert(_ value: Value, _ name: String) {
        let place = place(of: name)
        let before = parts[place].count
        parts[place][name] = value
        count += parts[place].count - before
    }

    /// The setter also adds values of new names.
    subscript(name: String) -> Value? {
        get { parts[place(of: name)][name] }
        _modify {
            let place = place(of: name)
            let before = parts[place].count
            defer { didChange(place, before) }
            yield &parts[place][name]
        }
    }

    subscript(name: String, default value: @autoclosure () -> Value) -> Value {
        get { self[name] ?? value() }
        _modify {
            let place = place(of: name)
            let before = parts[place].count
            defer { didChange(place, before) }
            yield &parts[place][name, default: value()]
        }
    }

    private mutating func didChange(_ place: Int, _ before: Int) {
        count += parts[place].count - before
        // Each time for four times as many values as the last, so that n of them cost O(n).
        if Self.parts(for: count) > parts.count { self = Self(Array(self)) }
    }
}

extension SharedDictionary: Sequence {
    func makeIterator() -> some IteratorProtocol<(key: String, value: Value)> { parts.lazy.joined().makeIterator() }

    var underestimatedCount: Int { count }
    var names: some Sequence<String> { lazy.map(\.key) }
    var values: some Sequence<Value> { lazy.map(\.value) }
}

extension SharedDictionary: Sendable where Value: Sendable {}

extension SharedDictionary: Equatable where Value: Equatable {
    static func == (one: SharedDictionary, other: SharedDictionary) -> Bool {
        one.count == other.count && one.allSatisfy { other[$0.key] == $0.value }
    }
}

extension SharedDictionary: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) {
        // The same whatever the order.
        var sum = 0
        for (name, value) in self {
            var one = Hasher()
            one.combine(ExactString(name))
            one.combine(value)
            sum &+= one.finalize()
        }
        hasher.combine(sum)
    }
}
