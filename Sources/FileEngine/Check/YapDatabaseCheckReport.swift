/// The result of a whole-file check.
public struct YapDatabaseCheckReport: Hashable, Sendable {
    /// A view that the file holds.
    public struct View: Hashable, Sendable {
        /// The name under which the view is registered.
        public var name: String
        /// Groups that are not empty.
        public var groups: Int
        /// Rows in all groups.
        public var rows: Int
        /// Whether a program that had not registered the view wrote rows. The view is rebuilt when it is next registered.
        public var isStale: Bool

        package init(name: String, groups: Int, rows: Int, isStale: Bool) {
            (self.name, self.groups, self.rows, self.isStale) = (name, groups, rows, isStale)
        }
    }

    /// Empty if the file is intact.
    public var problems: [YapDatabaseProblem] = []
    /// The number of the last commit; 0 if damage prevents counting.
    public var snapshot = 0
    /// Collections that hold a row; 0 if damage prevents counting.
    public var collections = 0
    /// Rows in all collections; 0 if damage prevents counting.
    public var rows = 0
    /// Sorted by name.
    public var views: [View] = []
}
