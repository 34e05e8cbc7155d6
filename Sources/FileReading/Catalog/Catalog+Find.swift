import FileEngine

extension Catalog {
    /// The most names that a message lists.
    private static let nameLimit = 20

    /// Returns the item of this name.
    /// - Throws: ``YapDatabaseError`` that lists the names in the file.
    package func find<Item>(
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
