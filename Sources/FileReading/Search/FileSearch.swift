import FileEngine
import ObjectDecoding

/// A search through the rows of a file: in their keys and in their decoded values.
///
/// It runs on the caller's thread, in portions, so that other background work runs in between. It reads rows in the
/// order of the keys' index and keeps nothing; the screen's `ListSearch` works by places in a list and keeps its
/// matches.
package struct FileSearch {
    /// The progress of a search.
    package struct Progress: Hashable, Sendable {
        package var searched = 0
        package var found = 0
        /// The number of rows that cannot be read, of which only the keys were searched.
        package var unreadable = 0
        /// Why some rows may not have been found, in a sentence; nil if all were.
        package var damage: String?

        package init() {}
    }

    package var text: SearchText
    /// The collection to search; nil for all.
    package var collection: StoredText?
    /// Whether only keys are searched, which reads no rows.
    package var isKeysOnly: Bool
    package var decoder = RowDecoder()

    package init(_ text: SearchText, collection: StoredText? = nil, isKeysOnly: Bool = false) {
        self.text = text
        self.collection = collection
        self.isKeysOnly = isKeysOnly
    }

    /// Searches to the end, in the order of collections and keys; from where their index is damaged, in the order of
    /// rowids.
    /// - Parameters:
    ///   - progress: called after each portion; returning false ends the search.
    ///   - found: called with the rowid of each match, inside the snapshot's lock for work, when its row
    ///     is decoded, which may be some portions after it was read, but before the end.
    package func run(
        in snapshot: FileSnapshot, progress: (Progress) throws -> Bool = { _ in true },
        found: (Int64, Store) throws -> Void
    ) throws {
        var search = RunningSearch(self, try snapshot.rowTable(), snapshot)
        while !search.isOver {
            try snapshot.work { store in
                for rowid in try search.nextMatches(store) { try found(rowid, store) }
            }
            if try !progress(search.progress) { return }
        }
    }
}
