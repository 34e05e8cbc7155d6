/// A dictionary by names, which are equal if their bytes are. If one value of a copy changes, the copy still shares all but about √n of its n values
/// with the original; a `Dictionary` would copy them all.
///
/// If it is made of more than 256 values whose names ascend, as those of the groups of most views do, they stay in that order, and a name is found
/// by halving: to make a dictionary takes ten times as long. All other values are in one dictionary if there are at most 256, and otherwise spread
/// over about √n dictionaries, by the hash of their names.
struct SharedDictionary<Value> {
    private var ordered = OrderedValues<Value>()
    private var parts: [ExactDictionary<Value>] = [ExactDictionary()]
    /// The number of values in the parts.
    private var spread = 0

    init() {}

    init(_ pairs: some Collection<(key: String, value: Value)>) {
        let count = Self.parts(for: pairs.count)
        let share = pairs.count / count
        if count > 1, let ordered = OrderedValues(pairs, share: share) {
            self.ordered = ordered
            return
        }
        parts = Array(repeating: ExactDictionary(), count: count)
        for place in parts.indices { parts[place].reserveCapacity(share + share / 4) }
        for (name, value) in pairs { insert(value, name) }
    }

    var count: Int { ordered.count + spread }
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
        spread += parts[place].count - before
    }

    /// The setter also adds values of new names.
    subscript(name: String) -> Value? {
        get { ordered.index(of: name).map { ordered[$0] } ?? parts[place(of: name)][name] }
        _modify {
            if let index = ordered.index(of: name) {
                yield &ordered[index]
            } else {
                let place = place(of: name)
                let before = parts[place].count
                defer { didChange(place, before) }
                yield &parts[place][name]
            }
        }
    }

    subscript(name: String, default value: @autoclosure () -> Value) -> Value {
        get { self[name] ?? value() }
        _modify {
            if self[name] == nil { self[name] = value() }
            yield &self[name]!
        }
    }

    private mutating func didChange(_ place: Int, _ before: Int) {
        spread += parts[place].count - before
        let count = Self.parts(for: spread)
        guard count > parts.count else { return }
        // Each time for four times as many values as the last, so that n of them cost O(n).
        let all = Array(parts.joined())
        (parts, spread) = (Array(repeating: ExactDictionary(), count: count), 0)
        for (name, value) in all { insert(value, name) }
    }
}

extension SharedDictionary: Sequence {
    func makeIterator() -> Iterator { Iterator(ordered: ordered, parts: parts.lazy.joined().makeIterator()) }

    struct Iterator: IteratorProtocol {
        fileprivate let ordered: OrderedValues<Value>
        fileprivate var index = 0
        fileprivate var parts: LazySequence<FlattenSequence<[ExactDictionary<Value>]>>.Iterator

        mutating func next() -> (key: String, value: Value)? {
            while index < ordered.names.count {
                defer { index += 1 }
                if let value = ordered[index] { return (ordered.names[index], value) }
            }
            return parts.next()
        }
    }

    var underestimatedCount: Int { count }
    // Closures, not key paths, which cost ten times as much for each value.
    var names: some Sequence<String> { lazy.map { $0.key } }
    var values: some Sequence<Value> { lazy.map { $0.value } }
}

/// Values in the ascending order of their names, in parts that copies share.
private struct OrderedValues<Value> {
    private(set) var names: [String] = []
    /// Nil for a name whose value was removed.
    private var parts: [[Value?]] = []
    private var share = 1
    private(set) var count = 0

    init() {}

    /// Nil if the names do not ascend.
    init?(_ pairs: some Collection<(key: String, value: Value)>, share: Int) {
        self.share = share
        names.reserveCapacity(pairs.count)
        var part: [Value?] = []
        for (name, value) in pairs {
            if let last = names.last, !last.precedes(name) { return nil }
            names.append(name)
            part.append(value)
            if part.count == share {
                parts.append(part)
                part.removeAll(keepingCapacity: false)
            }
        }
        if !part.isEmpty { parts.append(part) }
        count = names.count
    }

    /// Nil for a name that was not there at the beginning. O(log n)
    func index(of name: String) -> Int? {
        if names.isEmpty { return nil }
        let index = names.indices.partitionPoint { !names[$0].precedes(name) }
        return index < names.count && names[index].hasSameBytes(as: name) ? index : nil
    }

    subscript(index: Int) -> Value? {
        get { parts[index / share][index % share] }
        _modify {
            let wasThere = self[index] != nil
            defer { count += (self[index] == nil ? 0 : 1) - (wasThere ? 1 : 0) }
            yield &parts[index / share][index % share]
        }
    }
}

extension OrderedValues: Sendable where Value: Sendable {}
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
