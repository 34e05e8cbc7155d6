/// One thing that is wrong with a file.
public struct YapDatabaseProblem: Hashable, Sendable, CustomStringConvertible {
    /// The extension that it is about; nil for the rows and the file as a whole.
    public var extensionName: String?
    /// What is wrong, and where.
    public var description: String
    /// Whether nothing is lost: what is damaged follows from the rows and can be made anew.
    public var canBeRebuilt: Bool
    /// What to do about it.
    public var remedy: String
}
