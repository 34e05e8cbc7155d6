import FileEngine
import ListChanges

/// Compares the records of commits with the file: what they say of a row or of a list last must be what the file has.
///
/// Rows whose change no record names cannot be found by it: SQLite keeps no digest of a table.
/// O(named rows), and O(pages) for each view that a record names.
struct RecordCheck {
    /// How many of the last edits of a view are compared with the places of their rows.
    private static let placeLimit = 1_000

    private let store: Store
    private var found: [YapDatabaseProblem] = []

    init(_ store: Store) { self.store = store }

    func problems() throws -> [YapDatabaseProblem] {
        var check = self
        try check.run()
        return check.found
    }

    private mutating func run() throws {
        var contents: [CommitContent] = []
        for record in try store.recordsBeforePresent() {
            guard let content = CommitContent(record.content) else {
                note(record, "cannot be read")
                break
            }
            contents.append(content)
            if found.isEmpty { try compareRows(content, record, later: contents.dropLast()) }
        }
        try compareLists(contents)
    }

    private mutating func note(_ record: CommitRecord, _ what: String) {
        found.append(.falseRecord("the record of commit \(record.after.number) \(what)"))
    }

    // MARK: Rows

    /// - Parameter later: the contents of later records.
    private mutating func compareRows(
        _ content: CommitContent, _ record: CommitRecord, later: ArraySlice<CommitContent>
    ) throws {
        for (collection, keys) in content.changes.rows {
            for (key, kind) in keys {
                let row = RowKey(collection: collection.text, key: key.text)
                // One that was inserted and removed may be there or not.
                if kind.contains(.removed) && kind.contains(.inserted) { continue }
                if later.contains(where: { !$0.changes.kind(of: row).isEmpty }) { continue }
                if try (store.rowid(forKey: row) == nil) != kind.contains(.removed) {
                    let what =
                        kind.contains(.removed) ? "removed, but the file has it" : "written, but the file lacks it"
                    return note(record, "says that the row \(row) was \(what)")
                }
            }
        }
    }

    // MARK: Lists

    private mutating func compareLists(_ contents: [CommitContent]) throws {
        for name in Set(contents.flatMap(\.logs.keys)).sorted() {
            guard let registered = try store.registeredExtension(name), !registered.isStale,
                TableOwner.Kind.view.classes.contains(registered.className)
            else { continue }
            var operations: [RawOperation] = []
            // From the newest back to one that does not say all.
            for content in contents {
                if content.isIncomplete || operations.count > Self.placeLimit { break }
                guard let bytes = content.logs[name] else { continue }
                guard let log = ViewLog(bytes[...]) else {
                    found.append(
                        .falseRecord("a record of a commit has a log of the view \"\(name)\" that cannot be read"))
                    break
                }
                if log.isIncomplete { break }
                operations = Array(log.operations) + operations
            }
            if operations.isEmpty { continue }
            let state = try ViewState(store.pages(ofView: name), view: name)
            if try !state.hasRows(atLastPlacesOf: operations, limit: Self.placeLimit, of: name, in: store) {
                found.append(
                    .falseRecord(
                        "the records of commits say that rows of the view \"\(name)\" are where the file has others"))
            }
        }
    }
}
