import LiveTable
import SeededRandom

extension LabEditor {
    /// The most edits of a storm: it is one transaction, and the screen waits for it.
    static let maxStormEdits = 10_000

    /// Returns edits of every kind at random places. The same rows and seed give the same storm.
    func storm(_ count: Int, _ seed: UInt64) throws(LabRefusal) -> [RowOperation] {
        guard !groups.isEmpty else { throw Self.noGroups }
        guard (1...Self.maxStormEdits).contains(count) else {
            throw LabRefusal("A storm has 1 to \(Self.maxStormEdits) edits.")
        }
        var random = SplitMix64(seed: seed)
        var cloud = Cloud(rows, groups)
        return (0..<count).map { _ in cloud.operation(using: &random) }
    }

    /// The rows during a storm, unordered, so that each edit costs the same.
    private struct Cloud {
        private var keys: [RowKey]
        private var contents: [RowKey: LabRows.Content]
        private var number: Int
        private let groups: [String]
        private let sorts: ClosedRange<Int>

        init(_ rows: LabRows, _ groups: [String]) {
            contents = rows.contents.filter { $0.value.row.group != nil }
            keys = contents.keys.sorted { $0.scenarioName < $1.scenarioName }
            number = Int(LabNames.newKey(in: rows).dropFirst()) ?? 1
            self.groups = groups
            let known = contents.values.map(\.row.sort.sensibleSort)
            sorts = (known.min() ?? 0) - 1000...(known.max() ?? 0) + 1000
        }

        mutating func operation(using random: inout SplitMix64) -> RowOperation {
            guard let index = keys.indices.randomElement(using: &random) else { return insert(using: &random) }
            let key = keys[index]
            let content = contents[key]!
            switch Int.random(in: 0..<100, using: &random) {
            case ..<30: return insert(using: &random)
            case ..<55:
                keys.swapAt(index, keys.count - 1)
                keys.removeLast()
                contents[key] = nil
                return .remove(key)
            case ..<80:
                var row = content.row
                row.sort = Int.random(in: sorts, using: &random)
                if Bool.random(using: &random) { row.group = groups.randomElement(using: &random) }
                return replace(key, row)
            case ..<95:
                var row = content.row
                row.text = LabNames.next(after: row.text)
                return replace(key, row)
            default: return .touch(key)
            }
        }

        private mutating func insert(using random: inout SplitMix64) -> RowOperation {
            let key = RowKey.lab("k\(number)")
            number += 1
            let row = LabRow(
                group: groups.randomElement(using: &random), sort: Int.random(in: sorts, using: &random),
                text: LabNames.text(ofKey: key.key))
            keys.append(key)
            contents[key] = LabRows.Content(row: row, metadata: nil)
            return .set(key, row, metadata: nil)
        }

        private mutating func replace(_ key: RowKey, _ row: LabRow) -> RowOperation {
            contents[key]?.row = row
            return .replaceObject(key, row)
        }
    }
}
