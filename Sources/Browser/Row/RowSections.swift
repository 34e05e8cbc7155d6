import FileReading
import ScreenPrograms
import ObjectDecoding

/// All sections of a row in the row pane, from top to bottom.
struct RowSections: Sendable {
    private(set) var all: [RowSection] = []

    static let empty = RowSections()

    private init() {}

    init(_ loaded: RowDetails, folding: Folding, isRaw: Bool) {
        if let error = loaded.row.error { add("Damaged", facts: [.init(name: "", value: error, isWrong: true)]) }
        add("Object", loaded.object, loaded.row.object, folding, isRaw)
        add("Metadata", loaded.metadata, loaded.row.metadata, folding, isRaw)
        add(loaded.subject.tableName, facts: loaded.columnFacts)
        add("Row", facts: loaded.rowFacts)
        add("In", facts: loaded.placeFacts)
        add("Beside it", facts: loaded.neighbours.map { .init(name: $0.name, value: $0.key, target: .row($0.rowid)) })
    }

    subscript(path: RowPath) -> (section: RowSection, row: Int)? {
        all.indices.contains(path.section) ? (all[path.section], path.row) : nil
    }

    private mutating func add(
        _ title: String, _ object: DecodedObject?, _ stored: StoredValue?, _ folding: Folding, _ isRaw: Bool
    ) {
        guard let object, let stored else { return }
        let detail =
            stored.bytes.flatMap(ImageHeader.init)?.words
            ?? object.formats.map(\.title).joined(separator: ", ")
        if isRaw, let bytes = stored.bytes {
            return all.append(RowSection(title: title, detail: "raw", content: .bytes(bytes)))
        }
        let outline = DecodedOutline(object.value, folding: folding)
        all.append(RowSection(title: title, detail: detail, content: .value(outline)))
        if let error = object.error, !object.value.saysSo {
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
        default: "Columns"
        }
    }
}

extension RowDetails {
    fileprivate var columnFacts: [RowSection.Fact] {
        columns.map { name, value in
            var fact = RowSection.Fact(name: name, value: value.value.summary(limit: 500))
            // An edge identifies its rows by their rowids.
            if case .relationship = subject, ["src", "dst"].contains(name), case .integer(let rowid) = value.value {
                fact.target = .stored(rowid)
            }
            return fact
        }
    }

    fileprivate var rowFacts: [RowSection.Fact] {
        var facts: [RowSection.Fact] = []
        if let address = row.address {
            facts.append(.init(name: "collection", value: address.collection.text))
            facts.append(.init(name: "key", value: address.key.text))
        }
        facts.append(.init(name: "rowid", value: String(row.rowid)))
        for (name, value) in [("object", row.object), ("metadata", row.metadata)] {
            if let value, value.bytes != nil { facts.append(.init(name: name, value: FileFacts.bytes(value.size))) }
        }
        return facts
    }

    fileprivate var placeFacts: [RowSection.Fact] {
        var facts = places.map { place in
            let page = "page \(place.pageKey.prefix(8)) at \(RowCount(place.placeInPage))"
            return RowSection.Fact(
                name: "\(place.view)/\(place.group)",
                value: place.placeInGroup.map { "at \(RowCount($0))" } ?? page,
                aside: place.placeInGroup == nil ? "" : ", " + page,
                target: .place(place, rowid: row.rowid))
        }
        if let problem { facts.append(.init(name: "", value: problem, isWrong: true)) }
        return facts
    }
}
