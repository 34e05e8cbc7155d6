import Foundation
import YapDatabase

/// The declarations of a list over related rows.
package struct LabLists {
    /// In the order in which to register them.
    private(set) var declarations: [any YapDeclaration] = []
    /// The name of the list that is shown.
    private(set) var view = ""
    /// The collection of that list's rows.
    private(set) var collection = ""

    package init(_ stages: [ListStage]) {
        add(stages[...], LabListName(), over: Self.keyed(RowKey.defaultCollection))
    }

    /// Makes `Codable` the encoding of all sources, also of those that no list joins.
    package static func useSources(in database: YapDatabase) {
        for collection in [RowKey.defaultCollection, RowKey.othersCollection] { keyed(collection).use(in: database) }
    }

    private static func keyed(_ collection: String) -> YapCollection<KeyedRow, String, String> {
        YapCollection(collection, of: KeyedRow.self, metadata: String.self)
    }

    private mutating func add<Row: LabShown, Key, Metadata>(
        _ stages: ArraySlice<ListStage>, _ before: LabListName, over rows: YapCollection<Row, Key, Metadata>
    ) {
        guard let stage = stages.first else {
            return addView(Self.list("\(before.text) view", of: rows))
        }
        let (rest, name) = (stages.dropFirst(), before.appending(stage))
        switch stage {
        case .joined:
            let join = YapJoin(
                name.text, of: rows, joining: \Row.other, to: Self.keyed(RowKey.othersCollection), versionTag: "1")
            declarations.append(join)
            add(rest, name, over: join.rows)
        case .dated:
            let dated = YapTimed(name.text, of: rows, at: \Row.date, in: .gmt, versionTag: "1")
            declarations.append(dated)
            add(rest, name, over: dated.rows)
        case .each:
            addView(
                YapList(name.text, of: rows, groupedByEach: \Row.tags, sortedBy: .ascending(\.place), versionTag: "1"),
                then: rest, name)
        case .groups:
            let grouped = Self.list("\(name.text) below", of: rows)
            declarations.append(grouped)
            addView(
                YapList(name.text, groupsOf: grouped, sortedBy: .ascending(\.place), versionTag: "1"), then: rest, name)
        }
    }

    private static func list<Row: LabShown, Key, Metadata>(
        _ name: String, of rows: YapCollection<Row, Key, Metadata>
    ) -> YapList<Row, Key, Metadata> {
        YapList(name, of: rows, sortedBy: .ascending(\.place), versionTag: "1") { $0.section }
    }

    /// - Parameter rest: the stages over the rows of the list.
    private mutating func addView<Row: LabShown, Key, Metadata>(
        _ list: YapList<Row, Key, Metadata>, then rest: ArraySlice<ListStage> = [], _ name: LabListName = LabListName()
    ) {
        declarations.append(list)
        (view, collection) = (list.name, list.collection.name)
        if !rest.isEmpty { add(rest, name, over: list.collection) }
    }
}
