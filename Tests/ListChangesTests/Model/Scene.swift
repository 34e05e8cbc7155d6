import ListChanges
import Testing

/// A small list that a test edits by name, to see the changes as text.
///
///     var scene = Scene(["A": "a b c"])
///     scene.move("c", to: "A", at: 0)
///     try scene.changes()   // "move [0,2] -> [0,0] c (object, metadata)"
struct Scene {
    private(set) var mappings: Mappings
    private(set) var view: ModelView
    private var shown: ListSnapshot

    init(_ groups: KeyValuePairs<String, String>, setUp: (inout Mappings) -> Void = { _ in }) {
        view = ModelView()
        for (group, rows) in groups {
            for (index, row) in rows.split(separator: " ").enumerated() {
                view.insert(RowKey(collection: "", key: String(row)), at: index, in: group)
            }
        }
        _ = view.takeLog()
        mappings = Mappings(groups: groups.map(\.key))
        setUp(&mappings)
        mappings.update(counts: view.counts)
        shown = ListSnapshot(mappings, view)
    }

    mutating func setUp(_ change: (inout Mappings) -> Void) {
        change(&mappings)
        shown = ListSnapshot(mappings, view)
    }

    mutating func insert(_ row: String, in group: String, at index: Int) {
        view.insert(RowKey(collection: "", key: row), at: index, in: group)
    }

    mutating func delete(_ row: String) {
        let place = place(of: row)
        view.remove(at: place.index, in: place.group)
    }

    mutating func update(_ row: String, _ flags: ChangeFlags = .object) {
        let place = place(of: row)
        view.update(at: place.index, in: place.group, flags)
    }

    mutating func move(_ row: String, to group: String, at index: Int) {
        delete(row)
        insert(row, in: group, at: index)
    }

    mutating func reset(_ group: String) { view.reset(group) }

    mutating func commit() { view.commit() }

    /// The visible rows, one line for each section: `A: a b c`.
    var text: String {
        shown.sections.map { "\($0.group): \($0.rows.map(\.key).joined(separator: " "))" }.joined(separator: "\n")
    }

    /// Returns the changes since the last call, one on each line, checked against the law.
    mutating func changes() throws -> String {
        view.commit()
        let (after, outcome) = try mappings.advanced(by: view.takeLog(), counts: view.counts)
        let changes = try #require(outcome.changeSet)
        let now = ListSnapshot(after, view)
        #expect(try changes.applying(to: shown) { now[$0] } == now)
        (mappings, shown) = (after, now)
        return changes.description
    }

    private func place(of row: String) -> (group: String, index: Int) {
        view.place(of: RowKey(collection: "", key: row))!
    }
}
