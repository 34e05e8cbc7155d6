import FileEngine

/// What a repair did.
package struct RepairReport: Sendable {
    /// What was done with an extension.
    package struct Part: Sendable {
        package enum Action: String, Sendable {
            /// Its tables and its entry are gone. The next program that registers it fills it from the rows.
            case dropped
            /// It was made again from what its own tables have.
            case rebuilt
            /// What did not fit together was removed; the rest is as it was.
            case mended
            /// It is as it was and marked as stale, because it may read from one that was dropped. The next program that
            /// registers it fills it again.
            case marked
        }

        package var name: String
        /// The class in `yap2`, such as `YapDatabaseAutoView`; nil if there was none.
        package var className: String?
        package var action: Action
        /// What was wrong with it, in a sentence.
        package var reason: String
        /// What was removed from it that follows from no row, in words, one for each.
        package var removed: [String] = []
    }

    /// The rows of the copy.
    package internal(set) var rows = 0
    /// The rows that are lost except for their keys.
    package internal(set) var lost: [LostRow] = []
    /// The rows that the copy cannot take, because another one has their key or a column has no value.
    package internal(set) var refused: [RefusedRow] = []
    /// The number of all such rows. `refused` lists the first of them.
    package internal(set) var refusedCount = 0
    /// The pages of the file that are not what the pages that lead to them expect.
    package internal(set) var damagedPages: [Int] = []
    /// What the copy lacks, in sentences.
    package internal(set) var damage: [String] = []
    /// What was found elsewhere or carried over unread, in sentences.
    package internal(set) var notes: [String] = []
    package internal(set) var parts: [Part] = []
    /// Whether some rows are from older copies of their pages, and may have changed since.
    package internal(set) var hasOlderRows = false
    /// What the check still finds in the copy.
    package internal(set) var remaining: [YapDatabaseProblem] = []

    /// Whether something that follows from no row is missing from the copy.
    package var hasLosses: Bool {
        !lost.isEmpty || refusedCount > 0 || !damage.isEmpty || parts.contains { !$0.removed.isEmpty }
    }
}
