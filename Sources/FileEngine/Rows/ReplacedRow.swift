import Foundation
import ListChanges

/// What a pending mutation has replaced: the row as it was before that mutation changed it first.
package struct ReplacedRow: Hashable, Sendable {
    /// The number of the mutation.
    package var mutation: Int
    package var key: RowKey
    /// Nil if there was no row.
    package var object: Data?
    /// Nil if the row had no metadata.
    package var metadata: Data?

    package init(mutation: Int, key: RowKey, object: Data?, metadata: Data?) {
        (self.mutation, self.key, self.object, self.metadata) = (mutation, key, object, metadata)
    }
}
