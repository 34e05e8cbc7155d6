/// The blocks that decide a row's place in a view, and the tag that names this version of them.
struct Arrangement: Sendable {
    var grouping: YapDatabaseViewGrouping
    var sorting: YapDatabaseViewSorting
    var versionTag: String
    /// The same decisions, if fields declare them.
    var fields: FieldPlacing?

    var needs: RowNeeds { grouping.needs.union(sorting.needs) }
}
