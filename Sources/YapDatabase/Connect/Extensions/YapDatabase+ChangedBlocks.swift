import Dispatch

extension YapDatabase {
    /// The most rows about which the blocks of an extension are asked again.
    static let mostRowsToAskAbout = 100

    private static let blockQueue = DispatchQueue(label: "YapDatabase changed blocks", qos: .background)

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
        let rowids = try connection.read { try $0.ext(name)?.rowsToAskAbout(limit: Self.mostRowsToAskAbout) ?? [] }
        for rowid in rowids {
            let changed = try connection.read { transaction -> YapDatabaseChangedBlock? in
                guard let asked = transaction.ext(name), let key = try transaction.key(forRowid: rowid) else {
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
