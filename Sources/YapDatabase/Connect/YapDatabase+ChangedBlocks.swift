import Dispatch
import ListChanges

extension YapDatabase {
    /// The most rows about which the blocks of an extension are asked again.
    static let maxRowsToAskAbout = 100

    static let blockQueue = DispatchQueue(label: "YapDatabase changed blocks", qos: .background)

    /// Asks the blocks of extensions about some rows again, if the app wants to know of changed ones. Ends when the database is
    /// closed.
    func askBlocks(of names: [String]) {
        guard let handler = options.changedBlockHandler else { return }
        Self.blockQueue.async { [weak file, weak self] in
            for name in names {
                file?.borrowing {
                    // An error means that the database is closed, or that the file cannot be read: reading it says so.
                    if let changed = try? self?.changedBlock(of: name) { handler(changed) }
                }
            }
        }
    }

    /// The first row that disagrees; nil if there is none. Reads each row in a transaction of its own, so that neither a checkpoint
    /// nor `close()` waits.
    func changedBlock(of name: String) throws -> YapDatabaseChangedBlock? {
        let connection = try newConnection()
        let rowids = try connection.read {
            try $0.hooks(ofExtension: name)?.rowsToAskAbout(limit: Self.maxRowsToAskAbout) ?? []
        }
        for rowid in rowids {
            let changed = try connection.read { transaction -> YapDatabaseChangedBlock? in
                guard let asked = transaction.hooks(ofExtension: name), let key = try transaction.key(forRowid: rowid)
                else {
                    return nil
                }
                // A block that throws, or a row that cannot be decoded, says nothing.
                let disagreement = try? asked.disagreement(aboutRow: rowid)
                return disagreement.map { YapDatabaseChangedBlock(extensionName: name, row: key, $0) }
            }
            if let changed { return changed }
        }
        return nil
    }
}

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
package struct Disagreement {
    let stored: String
    let answer: String
}
