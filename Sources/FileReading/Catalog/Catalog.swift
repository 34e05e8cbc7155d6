/// What a file contains: the tree at the left of the screen, and `--list`.
///
/// Read from the schema and `yap2` without reading any row, so it is available at once. Counts of collections and the
/// groups of views are requested one by one: ``FileSnapshot/order(ofCollection:)``, ``FileSnapshot/pages(ofView:)``.
package struct Catalog: Sendable {
    /// A view with tables of its own, or with a class in `yap2`.
    package struct View: Hashable, Sendable {
        package var name: String
        /// The class recorded in `yap2`, such as `YapDatabaseAutoView`; nil if none is recorded.
        package var className: String?
        package var versionTag: String?
        /// Damage of the view as a whole, in sentences. Damage inside its pages is found when they are read.
        package var damage: [String] = []
        /// Whether there are pages to show.
        package var hasPages = true
    }

    /// A secondary index or an R-tree.
    package struct Index: Hashable, Sendable {
        package var name: String
        package var table: String
        package var columns: [String]
        package var versionTag: String?
    }

    /// A full-text index.
    package struct FullText: Hashable, Sendable {
        package var name: String
        package var table: String
        package var columns: [String]
        /// For example `fts4`.
        package var version: String?
        package var versionTag: String?
    }

    /// The edges of a relationship extension.
    package struct Relationship: Hashable, Sendable {
        package var name: String
        package var table: String
        package var versionTag: String?
    }

    /// Ordered by the bytes of their names.
    package var collections: [StoredText] = []
    /// Whether there are more collections than are listed.
    package var hasMoreCollections = false
    package var views: [View] = []
    package var indexes: [Index] = []
    package var fullText: [FullText] = []
    package var relationships: [Relationship] = []
    package var rTrees: [Index] = []
    /// The number of rows of `yap2`.
    package var smallValues = 0
    /// The classes of other extensions recorded in `yap2`, by extension.
    package var others: [String: String] = [:]
    package var facts: FileFacts
    /// What cannot be read of the file, in sentences.
    package var damage: [String] = []
}
