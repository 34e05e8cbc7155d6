/// What a whole-file check found.
public struct YapDatabaseCheckReport: Hashable, Sendable {
    /// A view that the file holds.
    public struct View: Hashable, Sendable {
        /// The name under which the view is registered.
        public var name: String
        /// Groups that are not empty.
        public var groups: Int
        /// Rows in all groups.
        public var rows: Int
        /// Whether rows were written by a program that did not register the view. It is made anew when it is next registered.
        public var isStale: Bool
    }

    /// Empty when all is well.
    public var problems: [YapDatabaseProblem] = []
    /// The number of the last commit.
    public var snapshot = 0
    /// Collections that hold a row.
    public var collections = 0
    /// Rows in all collections.
    public var rows = 0
    /// In the order of their names.
    public var views: [View] = []
}
