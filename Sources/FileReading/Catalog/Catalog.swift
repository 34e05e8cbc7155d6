import FileEngine

/// What a file contains: the tree at the left of the screen, and `--list`.
///
/// Read from the schema and `yap2` without reading any row, so it is available at once. Counts of collections and the
/// groups of views are requested one by one: ``FileSnapshot/order(ofCollection:)``, ``FileSnapshot/pages(ofView:)``.
package struct Catalog: Sendable {
    /// A view with tables of its own, or with a class in `yap2`.
    package struct View: Hashable, Sendable {
        package var name: String
        /// The class recorded in `yap2`, such as `YapDatabaseAutoView`; nil if none is recorded.
        package var className: String?
        package var versionTag: String?
        /// Damage of the view as a whole, in sentences. Damage inside its pages is found when they are read.
        package var damage: [String] = []
        /// Whether there are pages to show.
        package var hasPages = true
    }

    /// A secondary index or an R-tree.
    package struct Index: Hashable, Sendable {
        package var name: String
        package var table: String
        package var columns: [String]
        package var versionTag: String?
    }

    /// A full-text index.
    package struct FullText: Hashable, Sendable {
        package var name: String
        package var table: String
        package var columns: [String]
        /// For example `fts4`.
        package var version: String?
        package var versionTag: String?
    }

    /// The edges of a relationship extension.
    package struct Relationship: Hashable, Sendable {
        package var name: String
        package var table: String
        package var versionTag: String?
    }

    /// A table that is shown as a table and not as a list of the library: the app's own, or that of an extension which has no list.
    package struct Table: Hashable, Sendable {
        package var name: String
        package var columns: [String]
        /// Whether its rows have rowids.
        package var hasRowid: Bool
        package var isVirtual: Bool
    }

    /// Ordered by the bytes of their names.
    package var collections: [StoredText] = []
    /// Whether there are more collections than are listed.
    package var hasMoreCollections = false
    package var views: [View] = []
    package var indexes: [Index] = []
    package var fullText: [FullText] = []
    package var relationships: [Relationship] = []
    package var rTrees: [Index] = []
    package var tables: [Table] = []
    /// The names of views of SQL, which are never run.
    package var sqlViews: [String] = []
    /// The number of rows of `yap2`.
    package var smallValues = 0
    /// The classes of other extensions recorded in `yap2`, by extension.
    package var others: [String: String] = [:]
    /// What the extensions that derive rows read, by extension.
    package var derivations: [String: Derivation] = [:]
    package var facts: FileFacts
    /// The damage of the file, in sentences.
    package var damage: [String] = []
}

extension Catalog {
    /// The most names that a message lists.
    private static let nameLimit = 20

    /// Returns the item of this name.
    /// - Throws: ``YapDatabaseError`` that lists the names in the file.
    func find<Item>(
        _ name: String, in items: [Item], _ itemName: (Item) -> String, _ kind: String
    ) throws -> Item {
        if let item = items.first(where: { itemName($0) == name }) { return item }
        throw Self.missing(name, kind, there: items.map(itemName))
    }

    /// Checks that a collection exists.
    /// - Throws: ``YapDatabaseError`` that lists the collections in the file.
    package func checkCollection(_ name: StoredText) throws {
        guard !collections.contains(name), !hasMoreCollections else { return }
        throw Self.missing(name.text, "collection", there: collections.map(\.text))
    }

    /// Returns the secondary index of this name.
    /// - Throws: ``YapDatabaseError`` that lists the names in the file, or the columns if the index has no such column.
    package func index(_ name: String, column: String?) throws -> Index {
        let index = try find(name, in: indexes, { $0.name }, "secondary index")
        if let column, !index.columns.contains(column) {
            throw Self.missing(column, "column", in: "the index \"\(name)\"", there: index.columns)
        }
        return index
    }

    /// Returns an error that says what is missing and lists what exists.
    package static func missing(
        _ name: String, _ kind: String, in place: String = "the file", there: [String]
    ) -> YapDatabaseError {
        let names = there.prefix(nameLimit).map { "\"\($0)\"" }.joined(separator: ", ")
        let rest = there.count > nameLimit ? " and \(there.count - nameLimit) more" : ""
        return YapDatabaseError(
            .badExtension,
            "There is no \(kind) \"\(name)\" in \(place)"
                + (there.isEmpty ? ", which has none." : ". There is \(names)\(rest)."))
    }
}
