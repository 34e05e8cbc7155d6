import FileEngine
import ListChanges

/// Notes in the file which rows extensions leave out.
extension YapDatabaseReadWriteTransaction {
    /// Reads the notes of the file, and takes those of extensions in memory: once, and again after commits of other processes.
    func loadLeftOutRows() throws {
        try leftOutRows.load {
            var noted = try store.notedRowids()
            for (name, one) in extensions where !one.isPersistent {
                guard let rows = try hooks(ofExtension: name)?.leftOutRows(), !rows.isEmpty else { continue }
                noted[name] = Set(rows.map(\.rowid))
            }
            return noted
        }
    }

    /// Stores in the file which rows extensions have left out, or no longer leave out, in this transaction.
    func storeLeftOutRows() throws {
        guard leftOutRows.hasChanges else { return }
        var reports: [LeftOutRows.Report] = []
        for (name, rows, others) in leftOutRows.popChanges() {
            guard let listener = hooks(ofExtension: name), let one = extensions.first(where: { $0.name == name }) else {
                continue
            }
            var others = others
            for (rowid, change) in rows.sorted(by: { $0.key < $1.key }) {
                guard case .out(_, let columns, let error) = change,
                    let (key, digest) = try store.digest(ofRow: rowid, columns),
                    let whole = try store.digest(ofRow: rowid, .both)
                else {
                    try endLeavingOut(rowid, by: listener, one.extension)
                    continue
                }
                let row = LeftOutRow(rowid: rowid, key: key, cause: error.cause)
                reports.append(LeftOutRows.Report(name: name, row: row, digest: whole.digest))
                let known = leftOutRows.rowids(of: name)
                if known.contains(rowid) || known.count < Store.maxLeftOutRows {
                    try leaveOut(row, columns, digest, by: listener, one.extension)
                } else {
                    others += 1
                }
            }
            if others > 0, one.extension.isPersistent {
                others += try store.otherLeftOutRows(extension: name)
                try store.setOtherLeftOutRows(others, extension: name)
                listener.hasNewProblems = true
            }
        }
        if !reports.isEmpty { report(reports) }
    }

    private func leaveOut(
        _ row: LeftOutRow, _ columns: RowColumns, _ digest: String, by listener: any TransactionHooks,
        _ one: any ExtensionHooks
    ) throws {
        let isNew =
            try one.isPersistent
            ? store.leaveOut(row.rowid, columns, digest: digest, cause: row.cause, extension: listener.name)
            : listener.keep(row)
        leftOutRows.setNoted(true, row.rowid, of: listener.name)
        if isNew { listener.hasNewProblems = true }
    }

    private func endLeavingOut(
        _ rowid: Int64, by listener: any TransactionHooks, _ one: any ExtensionHooks
    ) throws {
        if one.isPersistent {
            try store.endLeavingOut(rowid, extension: listener.name)
        } else {
            listener.endKeeping(rowid)
        }
        leftOutRows.setNoted(false, rowid, of: listener.name)
        listener.hasNewProblems = true
    }

    /// Tells the program of the rows after the commit.
    private func report(_ reports: [LeftOutRows.Report]) {
        let database = connection.database
        addCompletionQueue(UndecodableRowReports.queue) {
            [known = database.undecodableRowReports, options = database.options] in
            known.report(reports, options)
        }
    }

    // MARK: Registering

    /// Called before an extension is filled again: what it left out before says nothing.
    func forgetLeftOutRows(of name: String, isStored: Bool) throws {
        if isStored { try store.endLeavingOutRows(extension: name) }
        leftOutRows.removeAll(of: name)
    }

    /// Offers an extension of the file the rows that it leaves out: this program may be able to decode them.
    func retryLeftOutRows(of listener: any TransactionHooks) throws {
        for rowid in leftOutRows.rowids(of: listener.name).sorted() {
            guard let key = try key(forRowid: rowid) else {
                leftOutRows.add(.back, rowid, of: listener.name)
                continue
            }
            try listener.retry(
                ChangedRow(
                    rowid: rowid, key: key, flags: [.object, .metadata], isTouch: false, given: (nil, nil), size: 0,
                    transaction: self))
        }
    }
}
