import ListChanges

extension Rows {
    static func random(using random: inout SplitMix64, hasHeaders: Bool) -> Rows {
        var rows = Rows([], hasHeaders: hasHeaders)
        for _ in 0..<random.below(12) { rows.mutate(using: &random) }
        return rows
    }

    /// Returns these rows after one to four random edits, sometimes after many.
    func mutated(using random: inout SplitMix64) -> Rows {
        var rows = self
        for _ in 0..<(random.percent(10) ? 12 : 1 + random.below(4)) { rows.mutate(using: &random) }
        return rows
    }

    private mutating func mutate(using random: inout SplitMix64) {
        switch random.below(20) {
        case 0: insertSection(using: &random)
        case 1: if !sections.isEmpty { sections.remove(at: random.below(sections.count)) }
        case 2..<10: insertRow(using: &random)
        case 10..<14: _ = takeRow(using: &random)
        case 14..<17:
            if let row = takeRow(using: &random) { put(row, using: &random) }
        default:
            if var row = takeRow(using: &random, andPutBack: true) {
                row.text = "\(row.key)\(random.below(10))"
                row.height = 1 + random.below(3)
                replace(row)
            }
        }
    }

    private mutating func insertSection(using random: inout SplitMix64) {
        let title = ["A", "B", "C", "D"][random.below(4)]
        guard !sections.contains(where: { $0.title == title }) else { return }
        let index = sections.firstIndex { $0.title > title } ?? sections.count
        sections.insert(Section(title, []), at: index)
    }

    private mutating func insertRow(using random: inout SplitMix64) {
        if sections.isEmpty { insertSection(using: &random) }
        let used = Set(sections.flatMap { $0.rows.map(\.key) })
        let key = "k\(random.below(30))"
        guard !used.contains(key) else { return }
        put(Row(key, height: 1 + random.below(2)), using: &random)
    }

    private mutating func put(_ row: Row, using random: inout SplitMix64) {
        let section = random.below(sections.count)
        sections[section].rows.insert(row, at: random.below(sections[section].rows.count + 1))
    }

    private mutating func takeRow(using random: inout SplitMix64, andPutBack: Bool = false) -> Row? {
        let filled = sections.indices.filter { !sections[$0].rows.isEmpty }
        guard !filled.isEmpty else { return nil }
        let section = filled[random.below(filled.count)]
        let row = random.below(sections[section].rows.count)
        return andPutBack ? sections[section].rows[row] : sections[section].rows.remove(at: row)
    }

    private mutating func replace(_ row: Row) {
        for section in sections.indices {
            if let index = sections[section].rows.firstIndex(where: { $0.key == row.key }) {
                sections[section].rows[index] = row
            }
        }
    }
}
