/// Values by names, which differ if their bytes do.
///
/// Inlinable, because it stands in the way of each row that moves: a subscript that is called in another module is not compiled for the type of
/// the values, and allocates the frame of its coroutine. The type is public for this reason alone: the compiler ignores `@inlinable` on members of a
/// type that is not (Swift 6.3; see `docs/decisions/one-target.md`).
@frozen public struct ExactDictionary<Value> {
    @usableFromInline package var storage: [ExactString: Value]

    @inlinable package init(storage: [ExactString: Value]) { self.storage = storage }

    @inlinable package init() { storage = [:] }

    /// If a name is given twice, its last value counts.
    package init(_ pairs: some Sequence<(key: String, value: Value)>) {
        storage = [:]
        storage.reserveCapacity(pairs.underestimatedCount)
        for (name, value) in pairs { self[name] = value }
    }

    @inlinable package var isEmpty: Bool { storage.isEmpty }
    @inlinable package var count: Int { storage.count }

    /// The value of a name, nil if there is none. Setting nil removes the name.
    @inlinable package subscript(name: String) -> Value? {
        get { storage[ExactString(name)] }
        _modify { yield &storage[ExactString(name)] }
    }

    @inlinable package subscript(name: String, default value: @autoclosure () -> Value) -> Value {
        get { storage[ExactString(name)] ?? value() }
        _modify { yield &storage[ExactString(name), default: value()] }
    }

    @inlinable package mutating func removeValue(forKey name: String) -> Value? {
        storage.removeValue(forKey: ExactString(name))
    }

    @inlinable package mutating func reserveCapacity(_ count: Int) { storage.reserveCapacity(count) }

    @inlinable package var values: some Collection<Value> { storage.values }

    @inlinable package func mapValues<New>(_ transform: (Value) throws -> New) rethrows -> ExactDictionary<New> {
        ExactDictionary<New>(storage: try storage.mapValues(transform))
    }

    /// The names, in no particular order.
    @inlinable package var names: some Collection<String> { storage.keys.lazy.map(\.text) }
}

extension ExactDictionary: Sequence {
    @frozen public struct Iterator: IteratorProtocol {
        @usableFromInline package var iterator: [ExactString: Value].Iterator

        @inlinable package init(_ iterator: [ExactString: Value].Iterator) { self.iterator = iterator }

        @inlinable public mutating func next() -> (key: String, value: Value)? {
            guard let (name, value) = iterator.next() else { return nil }
            return (name.text, value)
        }
    }

    @inlinable public func makeIterator() -> Iterator { Iterator(storage.makeIterator()) }
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
        if isSameMemory(as: other) { return true }
        return count == other.count && zip(self, other).allSatisfy { $0.hasSameBytes(as: $1) }
    }
}

extension Collection<String> {
    /// Whether both are known to be one array. O(1).
    private func isSameMemory(as other: some Collection<String>) -> Bool {
        let isSame = withContiguousStorageIfAvailable { one in
            other.withContiguousStorageIfAvailable { one.baseAddress == $0.baseAddress && one.count == $0.count }
        }
        return (isSame ?? nil) ?? false
    }
}

extension String {
    /// Whether there is a name and the text has the same bytes.
    package func isName(_ name: String?) -> Bool { name.map { hasSameBytes(as: $0) } ?? false }
}
