import FileReading
import ScreenPrograms
import ObjectDecoding

/// All sections of a row in the row pane, from top to bottom.
struct RowSections: Sendable {
    private(set) var all: [RowSection] = []

    static let empty = RowSections()

    private init() {}

    init(_ loaded: RowDetails, foldings: [RowSection.Part: Folding], isRaw: Bool) {
        if let error = loaded.row.error { add("Damaged", facts: [.init(name: "", value: error, isWrong: true)]) }
        add(.object, loaded.object, loaded.row.object, foldings, isRaw)
        add(.metadata, loaded.metadata, loaded.row.metadata, foldings, isRaw)
        add(loaded.subject.tableName, facts: loaded.columnFacts)
        add("Row", facts: loaded.rowFacts)
        add("From", facts: loaded.originFacts)
        add("In", facts: loaded.placeFacts + loaded.indexFacts)
        add("Edges", facts: loaded.edgeFacts)
        add("Beside it", facts: loaded.neighbours.map { .init(name: $0.name, value: $0.key, target: .row($0.rowid)) })
    }

    subscript(path: RowPath) -> (section: RowSection, row: Int)? {
        all.indices.contains(path.section) ? (all[path.section], path.row) : nil
    }

    private mutating func add(
        _ part: RowSection.Part, _ object: DecodedObject?, _ stored: StoredValue?,
        _ foldings: [RowSection.Part: Folding], _ isRaw: Bool
    ) {
        guard let object, let stored else { return }
        let detail =
            stored.bytes.flatMap(ImageHeader.init)?.words
            ?? object.formats.map(\.title).joined(separator: ", ")
        if isRaw, let bytes = stored.bytes {
            return all.append(RowSection(title: part.rawValue, detail: "raw", part: part, content: .bytes(bytes)))
        }
        let outline = DecodedOutline(object.value, folding: foldings[part] ?? Folding())
        all.append(RowSection(title: part.rawValue, detail: detail, part: part, content: .value(outline)))
        if let error = object.remark, !object.value.saysSo {
            add("", facts: [.init(name: "", value: error, isWrong: true)])
        }
    }

    private mutating func add(_ title: String, facts: [RowSection.Fact]) {
        if !facts.isEmpty { all.append(RowSection(title: title, content: .facts(facts))) }
    }
}

extension DecodedValue {
    /// Whether its own lines describe the error.
    fileprivate var saysSo: Bool { if case .bytes = self { true } else { false } }
}

extension ListSubject {
    fileprivate var tableName: String {
        switch self {
        case .index: "Index"
        case .relationship: "Edge"
        case .rTree: "R-tree"
        case .smallValues: "yap2"
        case .table: "Columns"
        default: "Columns"
        }
    }
}
