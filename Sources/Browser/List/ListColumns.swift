import FileReading
import ListChanges
import ScreenPrograms

/// The columns of a list: the available ones, the shown ones, and the width that each would need.
struct ListColumns: Hashable, Sendable {
    /// The most fields of an object that are considered.
    static let maxFields = 60
    /// The number of columns of decoded fields that are shown unless the user chooses.
    private static let chosenFields = 4
    /// A column that would need more is text to be read, and comes last.
    private static let widestColumn = 24

    /// The most characters that are measured.
    private static let widestText = 80

    private(set) var all: [ListColumn] = []
    var shown: [ListColumn] = []
    /// The width of the widest text seen.
    private(set) var widths: [ListColumn: Int] = [:]
    /// The widths that the user chose instead.
    private(set) var chosenWidths: [ListColumn: Int] = [:]
    private(set) var numbers: Set<ListColumn> = []
    /// The fields inside of fields among the columns, which the user has typed.
    private(set) var paths: [FieldPath] = []

    /// Chooses columns from a few rows of the list: short fields that most rows have and that distinguish them.
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

    /// Returns the columns with one added at the end, or removed.
    func toggling(_ column: ListColumn) -> ListColumns {
        var other = self
        if let index = shown.firstIndex(of: column) {
            // A list must have at least one column.
            if shown.count > 1 { other.shown.remove(at: index) }
        } else {
            other.shown.append(column)
        }
        return other
    }

    /// Returns the columns with a field inside of fields at the end.
    func adding(_ path: FieldPath) -> ListColumns {
        var other = self
        let column = ListColumn.field(path.text)
        if !other.all.contains(column) {
            other.all.insert(column, at: other.all.firstIndex(of: .value) ?? other.all.count)
            other.paths.append(path)
            other.widths[column] = TextMeasure().width(of: column.title, limit: 20)
        }
        if !other.shown.contains(column) { other.shown.append(column) }
        return other
    }

    /// Widens columns for the texts of a row: later keys may be wider than those that the columns were chosen from.
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

    /// Returns the columns with another width of one; nil fits it to its texts again.
    func choosing(width: Int?, of column: ListColumn) -> ListColumns {
        var other = self
        other.chosenWidths[column] = width.map { max(Self.leastWidth, $0) }
        return other
    }

    private static func identity(_ subject: ListSubject) -> [ListColumn] {
        switch subject {
        case .relationship, .table: []
        case .smallValues: [.collection, .key]
        default: [.key]
        }
    }

    /// Orders fields as in the objects, with the widest last, which takes the remaining width.
    private func chosen(_ fields: [FieldStatistics]) -> [ListColumn] {
        let good = fields.filter(\.isGood).sorted { $0.rank > $1.rank }.prefix(Self.chosenFields).map {
            ListColumn.field($0.name)
        }
        var columns = fields.map { ListColumn.field($0.name) }.filter(good.contains)
        if let widest = columns.max(by: { widths[$0, default: 0] < widths[$1, default: 0] }),
            widths[widest, default: 0] > Self.widestColumn
        {
            columns.removeAll { $0 == widest }
            columns.append(widest)
        }
        return columns
    }
}

/// The values of a field in the rows of a sample.
private struct FieldStatistics {
    var name: String
    var count = 0
    var scalars = 0
    var numbers = 0
    var rows = 0
    var texts: Set<String> = []
    /// The number of rows whose key has the same text.
    var keys = 0

    /// Whether most rows have the field, it is short, and its values differ.
    var isGood: Bool {
        count * 2 > rows && scalars * 10 >= count * 9 && keys * 2 < max(1, count) && (texts.count > 1 || rows < 3)
    }

    var isNumber: Bool { count > 0 && numbers == count }

    /// Fields that distinguish rows rank before those that repeat.
    var rank: Double { Double(count) / Double(max(1, rows)) + Double(min(texts.count, 20)) / 20 }

    static func fields(of sample: [RowTexts]) -> [FieldStatistics] {
        var order: [String] = []
        var found = ExactDictionary<FieldStatistics>()
        for row in sample {
            for (name, field) in row.fields {
                if found[name] == nil {
                    guard order.count < ListColumns.maxFields else { continue }
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
