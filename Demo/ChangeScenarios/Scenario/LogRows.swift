import YapDatabase

/// The rows of each group before and after a log, with the keys that the log names and generated ones for the others.
struct LogRows {
    /// The most rows of a group that are listed.
    static let limit = 1 << 20

    private(set) var before: [String: [RowKey]]
    private(set) var after: [String: [RowKey]] = [:]

    package init(_ counts: [String: Int], _ log: [RawOperation]) {
        var rows = Numbered(counts)
        for operation in log { rows.perform(operation) }
        before = Numbered(counts).groups.mapValues { $0.map { rows.key(of: $0) } }
        after = rows.groups.mapValues { $0.map { rows.key(of: $0) } }
    }

    /// The rows as numbers: a row's key is known only once the log names it.
    private struct Numbered {
        private(set) var groups: [String: [Int]] = [:]
        private var keys: [Int: RowKey] = [:]
        private var next = 0

        init(_ counts: [String: Int]) {
            for (group, count) in counts.sorted(by: { $0.key < $1.key }) {
                groups[group] = Array(next..<next + count)
                next += count
            }
        }

        func key(of number: Int) -> RowKey { keys[number] ?? RowKey(collection: "unnamed", key: "\(number)") }

        /// The log was replayed before, so operations that do not fit concern groups outside the mappings.
        mutating func perform(_ operation: RawOperation) {
            switch operation {
            case .insertRow(let group, let index, let key):
                guard (0...groups[group, default: []].count).contains(index) else { return }
                keys[next] = key
                groups[group, default: []].insert(next, at: index)
                next += 1
            case .deleteRow(let group, let index, let key):
                guard name(group, index, key) else { return }
                groups[group]?.remove(at: index)
            case .updateRow(let group, let index, let key, _): name(group, index, key)
            case .resetSection(let group): groups[group] = []
            case .insertSection, .deleteSection: break
            }
        }

        /// Records a row's key. Returns whether the row exists.
        @discardableResult
        private mutating func name(_ group: String, _ index: Int, _ key: RowKey) -> Bool {
            guard let rows = groups[group], rows.indices.contains(index) else { return false }
            keys[rows[index]] = key
            return true
        }
    }
}
