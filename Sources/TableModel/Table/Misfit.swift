import ListChanges

/// A change-set that does not lead from what a table showed to what its source shows now.
///
/// The table already shows the present rows, without animation. The caller should report the misfit: in a log, and as a
/// scenario that can be replayed.
public struct Misfit: Error, Hashable, Sendable, CustomStringConvertible {
    /// What does not fit, with the numbers.
    public var reason: String
    /// The change-set as a whole.
    public var changes: ChangeSet
    /// The numbers of rows in the sections before and after.
    public var countsBefore: [Int]
    /// The numbers of rows in the sections after the changes, as the source has them.
    public var countsAfter: [Int]

    public var description: String {
        "the change-set does not fit: \(reason) (rows before \(countsBefore), after \(countsAfter))"
    }
}
