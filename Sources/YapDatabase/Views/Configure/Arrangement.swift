/// The blocks that decide a row's place in a view, and the tag that names this version of them.
///
/// One object, because each write transaction takes it along.
final class Arrangement: Sendable {
    let grouping: YapDatabaseViewGrouping
    let sorting: YapDatabaseViewSorting
    let versionTag: String
    /// The same decisions, if fields declare them.
    let fields: FieldPlacing?
    /// Looks for contradictions in an order of which nothing says that it is one.
    let orderCheck: OrderCheck?

    init(
        grouping: YapDatabaseViewGrouping, sorting: YapDatabaseViewSorting, versionTag: String,
        fields: FieldPlacing? = nil, isTotal: Bool = false
    ) {
        orderCheck = isTotal ? nil : OrderCheck()
        (self.grouping, self.sorting, self.versionTag, self.fields) = (grouping, sorting, versionTag, fields)
    }

    /// Returns what the blocks take of a row.
    /// - Parameter read: decodes the row.
    /// - Throws: what `read` throws, and an error that says the same if the object is of another type than the fields are.
    @inline(__always) func content(_ read: () throws -> RowContent) throws -> RowContent {
        let content = try read()
        try fields?.check(content)
        return content
    }

    var needs: RowNeeds { grouping.needs.union(sorting.needs) }
}
