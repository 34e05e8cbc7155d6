import ListChanges

extension YapDatabaseViewTransaction {
    /// Calls this view's blocks again for a row and reports its cell as updated.
    ///
    /// Unlike the transaction's own touch, this reaches no other extensions than the filtered views over this one. A row that
    /// is not in the view is ignored.
    ///
    /// - Precondition: the transaction is a read-write transaction.
    public func touchRow(forKey key: String, inCollection collection: String?) throws {
        try touch(key, collection, [.object, .metadata])
    }

    /// Does what ``touchRow(forKey:inCollection:)`` does, as if only the object had changed.
    public func touchObject(forKey key: String, inCollection collection: String?) throws {
        try touch(key, collection, .object)
    }

    /// Does what ``touchRow(forKey:inCollection:)`` does, as if only the metadata had changed.
    public func touchMetadata(forKey key: String, inCollection collection: String?) throws {
        try touch(key, collection, .metadata)
    }

    private func touch(_ key: String, _ collection: String?, _ flags: ChangeFlags) throws {
        let transaction = readWriteTransaction("touch")
        let key = RowKey(collection: collection ?? "", key: key)
        try transaction.step {
            guard let rowid = try transaction.rowid(forKey: key), try pages.place(ofRowid: rowid) != nil else { return }
            try didTouch(
                ChangedRow(
                    rowid: rowid, key: key, flags: flags, isTouch: true, given: (nil, nil), size: 0,
                    transaction: transaction))
        }
    }
}
