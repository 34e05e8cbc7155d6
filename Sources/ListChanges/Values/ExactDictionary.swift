/// Values by names, which differ if their bytes do.
package struct ExactDictionary<Value> {
    private var storage: [ExactString: Value]

    private init(storage: [ExactString: Value]) { self.storage = storage }

    package init() { storage = [:] }

    /// Of names that are given twice, the last counts.
    package init(_ pairs: some Sequence<(key: String, value: Value)>) {
        storage = [:]
        for (name, value) in pairs { self[name] = value }
    }

    package var isEmpty: Bool { storage.isEmpty }

    /// The value of a name, nil if there is none. Setting nil removes the name.
    package subscript(name: String) -> Value? {
        get { storage[ExactString(name)] }
        _modify { yield &storage[ExactString(name)] }
    }

    package subscript(name: String, default value: @autoclosure () -> Value) -> Value {
        get { storage[ExactString(name)] ?? value() }
        _modify { yield &storage[ExactString(name), default: value()] }
    }

    package mutating func removeValue(forKey name: String) -> Value? { storage.removeValue(forKey: ExactString(name)) }

    package mutating func reserveCapacity(_ count: Int) { storage.reserveCapacity(count) }

    package var values: some Collection<Value> { storage.values }

    package func mapValues<New>(_ transform: (Value) throws -> New) rethrows -> ExactDictionary<New> {
        ExactDictionary<New>(storage: try storage.mapValues(transform))
    }

    /// The names, in no particular order.
    package var names: some Collection<String> { storage.keys.lazy.map(\.text) }
}

extension ExactDictionary: Sequence {
    package func makeIterator() -> AnyIterator<(key: String, value: Value)> {
        var iterator = storage.makeIterator()
        return AnyIterator { iterator.next().map { ($0.key.text, $0.value) } }
    }
}

extension ExactDictionary: Sendable where Value: Sendable {}
extension ExactDictionary: Equatable where Value: Equatable {}
extension ExactDictionary: Hashable where Value: Hashable {}

extension Sequence<String> {
    /// The names as they are told apart.
    package var exact: Set<ExactString> { Set(lazy.map(ExactString.init)) }
}

extension Collection<String> {
    /// Whether both are the same names in the same order.
    package func hasSameBytes(as other: some Collection<String>) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.hasSameBytes(as: $1) }
    }
}

extension String {
    /// Whether there is a name and the text has the same bytes.
    package func isName(_ name: String?) -> Bool { name.map { hasSameBytes(as: $0) } ?? false }
}
