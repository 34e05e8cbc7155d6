/// Builds a value from the parts that a parser reports one after the other, so that the parser needs no recursion.
///
/// A mark replaces what is too deep or too much.
struct ValueBuilder {
    private struct Open {
        let isDictionary: Bool
        /// The index of its first child among those of all open containers.
        let start: Int
        var key: String?
        /// The number of children that the limits left out.
        var leftOut = 0
    }

    private(set) var budget: Budget
    private var open: [Open] = []
    private var children: [DecodedField] = []
    /// The number of open containers beyond the depth limit.
    private var tooDeep = 0
    private var result: DecodedValue?

    init(_ budget: Budget) { self.budget = budget }

    /// The value, once everything is closed.
    var value: DecodedValue? { open.isEmpty ? result : nil }

    mutating func begin(isDictionary: Bool) {
        if tooDeep > 0 || open.count == budget.depthLimit {
            tooDeep += 1
        } else {
            open.append(Open(isDictionary: isDictionary, start: children.count))
        }
    }

    mutating func key(_ key: String) {
        guard tooDeep == 0 else { return }
        open[open.count - 1].key = key
    }

    mutating func add(_ value: DecodedValue) {
        guard tooDeep == 0 else { return }
        guard !open.isEmpty else { return result = value }
        guard budget.spend(values: 1) else { return open[open.count - 1].leftOut += 1 }
        let key = open[open.count - 1].key.map(DecodedValue.string) ?? .null
        children.append(DecodedField(key: key, value: value))
    }

    mutating func end() {
        if tooDeep > 0 {
            tooDeep -= 1
            if tooDeep == 0 { add(.tooDeep(budget.depthLimit)) }
            return
        }
        let closed = open.removeLast()
        var inside = Array(children[closed.start...])
        children.removeSubrange(closed.start...)
        if closed.leftOut > 0 { inside.appendOmitted(closed.leftOut) }
        add(closed.isDictionary ? .dictionary(inside) : .array(inside.map(\.value)))
    }
}
