/// What a file holds: the tree at the left of the screen, and `--list`.
///
/// Read from the schema and `yap2`, without looking at any row, so it is there at once. Counts of collections and the
/// groups of views are asked for one by one: ``FileSnapshot/order(ofCollection:)``, ``FileSnapshot/pages(ofView:)``.
package struct Catalog: Sendable {
    /// A view with tables of its own, or with a class in `yap2`.
    package struct View: Hashable, Sendable {
        package var name: String
        /// The class as `yap2` has it, such as `YapDatabaseAutoView`; nil where there is none.
        package var className: String?
        package var versionTag: String?
        /// What is wrong with it as a whole, in sentences. Damage inside its pages is found when they are read.
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
        /// Such as `fts4`.
        package var version: String?
        package var versionTag: String?
    }

    /// The edges of a relationship extension.
    package struct Relationship: Hashable, Sendable {
        package var name: String
        package var table: String
        package var versionTag: String?
    }

    /// In the order of their names' bytes.
    package var collections: [StoredText] = []
    /// Whether there are more collections than are listed.
    package var hasMoreCollections = false
    package var views: [View] = []
    package var indexes: [Index] = []
    package var fullText: [FullText] = []
    package var relationships: [Relationship] = []
    package var rTrees: [Index] = []
    /// Rows of `yap2`.
    package var smallValues = 0
    /// Extensions of other classes that `yap2` remembers, with their class.
    package var others: [String: String] = [:]
    package var facts: FileFacts
    /// What of the file cannot be read, in sentences.
    package var damage: [String] = []
}
