/// What a whole-file check found.
public struct YapDatabaseCheckReport: Hashable, Sendable {
    /// A view that the file holds.
    public struct View: Hashable, Sendable {
        public var name: String
        public var groups: Int
        public var rows: Int
        /// Whether rows were written by a program that did not register the view. It is made anew when it is next registered.
        public var isStale: Bool
    }

    /// Empty when all is well.
    public var problems: [YapDatabaseProblem] = []
    /// The number of the last commit.
    public var snapshot = 0
    public var collections = 0
    public var rows = 0
    /// In the order of their names.
    public var views: [View] = []
}
