/// The blocks that decide a row's place in a view, and the tag that names this version of them.
final class Arrangement: Sendable {
    let grouping: YapDatabaseViewGrouping
    let sorting: YapDatabaseViewSorting
    let versionTag: String
    /// The same decisions, if fields declare them.
    let fields: FieldPlacing?

    init(
        grouping: YapDatabaseViewGrouping, sorting: YapDatabaseViewSorting, versionTag: String,
        fields: FieldPlacing? = nil
    ) {
        (self.grouping, self.sorting, self.versionTag, self.fields) = (grouping, sorting, versionTag, fields)
    }

    var needs: RowNeeds { grouping.needs.union(sorting.needs) }
}
