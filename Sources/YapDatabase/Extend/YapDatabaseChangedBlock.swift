import ListChanges

/// A row for which an extension's block answers otherwise than the extension was filled, although its version tag is the same.
///
/// The extension holds what the old block said of all rows that were not written since. Register it with another version tag.
public struct YapDatabaseChangedBlock: Sendable, CustomStringConvertible {
    /// The name under which the extension is registered.
    public let extensionName: String
    /// The collection of the row.
    public let collection: String
    /// The key of the row.
    public let key: String
    /// What the extension holds for the row, such as `the group "A"`.
    public let stored: String
    /// What the block's answer is now.
    public let answer: String

    init(extensionName: String, row: RowKey, _ disagreement: Disagreement) {
        self.extensionName = extensionName
        (collection, key) = (row.collection, row.key)
        (stored, answer) = (disagreement.stored, disagreement.answer)
    }

    public var description: String {
        "A block of the extension \"\(extensionName)\" was changed without another version tag: for "
            + "\(RowKey(collection: collection, key: key)) the extension has \(stored), and the block's answer is "
            + "\(answer). Register it with another tag."
    }
}

/// What an extension holds for a row and what its blocks say, if these differ.
struct Disagreement {
    let stored: String
    let answer: String
}
