/// The blocks that decide a row's place in a view, and the tag that names this version of them.
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

    var needs: RowNeeds { grouping.needs.union(sorting.needs) }
}
