import FileReading
import LiveTable

/// The columns of a list: those that there could be, those that are shown, and how wide each would like to be.
struct ListColumns: Hashable, Sendable {
    /// Fields of an object that are considered.
    static let mostFields = 60
    /// Columns of decoded fields that are shown unless somebody chooses.
    private static let chosenFields = 4
    /// A column that would like to be wider than this is a text to be read, and stands last.
    private static let widestColumn = 24

    /// Of a wider text no more is measured.
    private static let widestText = 80

    private(set) var all: [ListColumn] = []
    var shown: [ListColumn] = []
    /// As wide as the widest text that was seen.
    private(set) var widths: [ListColumn: Int] = [:]
    /// What the user chose instead.
    private(set) var chosenWidths: [ListColumn: Int] = [:]
    private(set) var numbers: Set<ListColumn> = []

    /// Chooses columns by a few rows of the list: short fields that most of them have and that tell them apart.
    init(_ subject: ListSubject, sample: [RowTexts]) {
        let measure = TextMeasure()
        let fields = FieldStatistics.fields(of: sample)
        let stored = sample.first?.storedNames.map(ListColumn.stored) ?? []
        all = Self.identity(subject) + stored + fields.map { .field($0.name) } + [.value, .metadata, .size, .rowid]
        if case .collection = subject {} else if !all.contains(.collection) { all.insert(.collection, at: 1) }
        for column in all {
            let widest = sample.map { measure.width(of: $0.text(of: column), limit: Self.widestText) }.max() ?? 0
            widths[column] = max(widest, measure.width(of: column.title, limit: 20))
        }
        numbers = Set(fields.filter(\.isNumber).map { .field($0.name) } + [.size, .rowid])
        shown = Self.identity(subject) + stored + chosen(fields)
        if shown.count == Self.identity(subject).count { shown.append(.value) }
    }

    /// With a column more, or without it; what is new stands last.
    func toggling(_ column: ListColumn) -> ListColumns {
        var other = self
        if let index = shown.firstIndex(of: column) {
            // A list without columns would show nothing at all.
            if shown.count > 1 { other.shown.remove(at: index) }
        } else {
            other.shown.append(column)
        }
        return other
    }

    /// Takes in the texts of a row: keys that arrive later may be wider than those that the columns were chosen by.
    /// - Returns: whether a column became wider.
    mutating func widen(for row: RowTexts) -> Bool {
        let measure = TextMeasure()
        var isWider = false
        for column in shown {
            let limit = column == .key ? Self.widestText : Self.widestColumn
            let width = measure.width(of: row.text(of: column), limit: limit)
            guard width > widths[column, default: 0] else { continue }
            widths[column] = width
            isWider = true
        }
        return isWider
    }

    /// With another width of a column; nil has it fit its texts again.
    func choosing(width: Int?, of column: ListColumn) -> ListColumns {
        var other = self
        other.chosenWidths[column] = width.map { max(Self.leastWidth, $0) }
        return other
    }

    private static func identity(_ subject: ListSubject) -> [ListColumn] {
        switch subject {
        case .relationship: []
        case .smallValues: [.collection, .key]
        default: [.key]
        }
    }

    /// In the order of the objects, but the widest last: it takes what room there is.
    private func chosen(_ fields: [FieldStatistics]) -> [ListColumn] {
        let good = fields.filter(\.isGood).sorted { $0.rank > $1.rank }.prefix(Self.chosenFields).map(\.name)
        var columns = fields.map(\.name).filter(good.contains).map { ListColumn.field($0) }
        if let widest = columns.max(by: { widths[$0, default: 0] < widths[$1, default: 0] }),
            widths[widest, default: 0] > Self.widestColumn
        {
            columns.removeAll { $0 == widest }
            columns.append(widest)
        }
        return columns
    }
}

/// What the rows of a sample have under one name.
private struct FieldStatistics {
    var name: String
    var count = 0
    var scalars = 0
    var numbers = 0
    var rows = 0
    var texts: Set<String> = []
    /// Rows whose key says the same.
    var keys = 0

    /// Most rows have it, it is short, and it is not the same everywhere.
    var isGood: Bool {
        count * 2 > rows && scalars * 10 >= count * 9 && keys * 2 < max(1, count) && (texts.count > 1 || rows < 3)
    }

    var isNumber: Bool { count > 0 && numbers == count }

    /// Fields that tell rows apart go before those that repeat.
    var rank: Double { Double(count) / Double(max(1, rows)) + Double(min(texts.count, 20)) / 20 }

    static func fields(of sample: [RowTexts]) -> [FieldStatistics] {
        var order: [String] = []
        var found: [String: FieldStatistics] = [:]
        for row in sample {
            for (name, field) in row.fields {
                if found[name] == nil {
                    guard order.count < ListColumns.mostFields else { continue }
                    order.append(name)
                }
                found[name, default: FieldStatistics(name: name, rows: sample.count)].add(field, key: row.key)
            }
        }
        return order.compactMap { found[$0] }
    }

    mutating func add(_ field: FieldText, key: String) {
        count += 1
        if field.isScalar { scalars += 1 }
        if field.isNumber { numbers += 1 }
        if field.text == key || field.text == "\"\(key)\"" { keys += 1 }
        texts.insert(field.text)
    }
}
