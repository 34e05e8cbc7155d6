import FileEngine

extension Catalog {
    /// Names that a message lists.
    private static let nameLimit = 20

    /// What has this name.
    /// - Throws: ``YapDatabaseError`` that names what there is.
    package func find<Item>(
        _ name: String, in items: [Item], _ itemName: (Item) -> String, _ kind: String
    ) throws -> Item {
        if let item = items.first(where: { itemName($0) == name }) { return item }
        throw Self.missing(name, kind, there: items.map(itemName))
    }

    /// - Throws: ``YapDatabaseError`` that names what there is, when there is no such collection.
    package func checkCollection(_ name: StoredText) throws {
        guard !collections.contains(name), !hasMoreCollections else { return }
        throw Self.missing(name.text, "collection", there: collections.map(\.text))
    }

    /// The secondary index of this name.
    /// - Throws: ``YapDatabaseError`` that names what there is, also when it has no such column.
    package func index(_ name: String, column: String?) throws -> Index {
        let index = try find(name, in: indexes, { $0.name }, "secondary index")
        if let column, !index.columns.contains(column) {
            throw Self.missing(column, "column", in: "the index \"\(name)\"", there: index.columns)
        }
        return index
    }

    /// An error that says that there is no such thing, and what there is instead.
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
