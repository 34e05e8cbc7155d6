import FileEngine
import ListChanges
import NearestName
import ObjectDecoding

/// What is to be said of the rows for which expressions were evaluated: fields that no row has, and rows that count as less than they are.
package struct ExpressionRemarks: Sendable {
    private let texts: [String]
    private let names: [String]
    /// For each name, whether it is an expression by itself and not a part of one.
    private let isAlone: [Bool]
    private let decoder: RowDecoder
    private var seen: [Bool]
    /// A row that was looked at; nil if there was none.
    private var example: BrowsedRow?
    private var unreadable = Rows()
    private var undecodable = Rows()
    /// For each expression, the rows for which SQLite cannot compute it.
    private var notComputed: [Rows]
    /// By the name of a field, the rows in which it is a number that SQLite does not have.
    private var numbers = ExactDictionary<Rows>()

    /// Some rows, and why the one of them with the lowest rowid is among them.
    private struct Rows: Sendable {
        private var marks = RowidMarks()
        private var example: (rowid: Int64, name: String, reason: String)?

        mutating func add(_ row: BrowsedRow, _ reason: String) {
            marks.insert(row.rowid)
            if let example, example.rowid <= row.rowid { return }
            example = (row.rowid, row.title, reason)
        }

        /// - Parameter clause: for "1 row" or a number of rows.
        func sentence(_ clause: (String) -> String) -> String? {
            guard let example else { return nil }
            let count = marks.count == 1 ? "1 row" : "\(RowCount(marks.count)) rows"
            let reason = example.reason.hasSuffix(".") ? String(example.reason.dropLast()) : example.reason
            return clause(count)
                + (marks.count == 1 ? ", \(example.name): \(reason)." : ", for example \(example.name): \(reason).")
        }
    }

    init(_ expressions: RowExpressions) {
        (texts, names, decoder) = (expressions.texts, expressions.names, expressions.decoder)
        isAlone = expressions.names.indices.map { !expressions.isComputedWith($0) }
        seen = Array(repeating: false, count: names.count)
        notComputed = Array(repeating: Rows(), count: texts.count)
    }

    mutating func add(_ row: BrowsedRow) { if example == nil { example = row } }
    mutating func addSeen(_ place: Int) { seen[place] = true }
    mutating func addUnreadable(_ row: BrowsedRow, _ reason: String) { unreadable.add(row, reason) }
    mutating func addUndecodable(_ row: BrowsedRow, _ reason: String) { undecodable.add(row, reason) }
    mutating func addNotComputed(_ place: Int, _ row: BrowsedRow, _ reason: String) {
        notComputed[place].add(row, reason)
    }
    mutating func addNumber(_ place: Int, _ row: BrowsedRow, _ reason: String) {
        numbers[names[place], default: Rows()].add(row, reason)
    }

    /// The names in the expressions that no row has had, if there were rows.
    package var unseenNames: [String] { unseenPlaces.map { names[$0] } }
    private var unseenPlaces: [Int] { example == nil ? [] : names.indices.filter { !seen[$0] } }

    /// Whether some rows could not be read, decoded or computed in full, so that the answer may lack rows.
    package var isPartial: Bool { !lessThanTheyAre.isEmpty }

    /// Sentences for a person, the worst first.
    package var sentences: [String] { sentences(ofAll: true) }

    /// - Parameter isWhole: whether all rows of the list were looked at.
    package func sentences(ofAll isWhole: Bool) -> [String] {
        let none = isWhole ? "No row" : "None of the rows that were looked at"
        return lessThanTheyAre
            + unseenPlaces.map { place in
                let name = names[place]
                let hint =
                    likelyName(for: name).map { " " + didYouMean($0) }
                    ?? (isAlone[place] ? "" : " A text is in single quotes: \(SQLValue.text(name).literal)")
                return "\(none) has a field \"\(name)\".\(hint)"
            }
    }

    /// Whether a name is probably misspelt: no row has it, and one has a field with a name that is like it.
    package var hasSlip: Bool { unseenNames.contains { likelyName(for: $0) != nil } }

    /// The field of a row that is meant by a misspelt name; nil if none has a name like it.
    private func likelyName(for name: String) -> String? {
        guard let example else { return nil }
        let fields =
            switch decoder.object(of: example)?.value {
            case .dictionary(let fields), .object(_, let fields): fields.prefix(Self.mostFields)
            default: ArraySlice<DecodedField>()
            }
        let names = fields.compactMap { field -> String? in if case .string(let name) = field.key { name } else { nil }
        }
        return nearestName(to: name, in: names + example.columns.map(\.name))
    }

    private static let mostFields = 200

    private var lessThanTheyAre: [String] {
        let expressions = zip(texts, notComputed).map { text, rows in
            rows.sentence { "\"\(text)\" cannot be computed and counts as NULL for \($0)" }
        }
        let values = [
            unreadable.sentence { "Fields are missing, because the file is damaged there, in \($0)" },
            undecodable.sentence { "Fields are missing, because the value cannot be decoded, in \($0)" },
        ]
        let fields = numbers.sorted { $0.key.precedes($1.key) }.map { name, rows in
            rows.sentence { "\"\(name)\" counts as NULL for \($0)" }
        }
        return (values + fields + expressions).compactMap(\.self)
    }
}

extension BrowsedRow {
    /// What people call it.
    fileprivate var title: String { address.map { "\($0.collection.text)/\($0.key.text)" } ?? "rowid \(rowid)" }
}
