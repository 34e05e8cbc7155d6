import FileEngine
import ListChanges

/// Reading rows that an extension has and that cannot be decoded: another program put them there, or changed them past the library.
extension YapDatabaseExtensionTransaction {
    /// The rows that the extension leaves out because they cannot be decoded, in the order of their insertion: the first
    /// thousand of them. Empty while everything is well.
    ///
    /// They are noted in the file, so every program knows them, and `yap check` shows them. They include rows that another program put into the
    /// extension and that this program has failed to decode. They also include rows that are left out by an extension from which this one reads: the
    /// list that it filters, the list whose groups are its rows, both collections of a join. ``YapDatabaseUndecodableRow/extensionNames`` says which
    /// extensions leave a row out. Costs a look-up for each of these extensions, and reads the rows that are noted.
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read. In a read-write
    ///   transaction also the codes of writing, because the rows that this transaction left out are noted in the file first.
    public var problems: [YapDatabaseUndecodableRow] {
        get throws {
            try (transaction as? YapDatabaseReadWriteTransaction)?.storeLeftOutRows()
            var found: [Int64: (names: [String], row: LeftOutRow)] = [:]
            for name in transaction.extensionsRead(by: name) {
                guard let one = transaction.hooks(ofExtension: name) else { continue }
                for row in try one.knownLeftOutRows() { found[row.rowid, default: ([], row)].names.append(name) }
            }
            return found.sorted { $0.key < $1.key }.map { _, found in
                YapDatabaseUndecodableRow(found.names, found.row.key, cause: found.row.cause)
            }
        }
    }

    /// The rows that the extension itself leaves out, or that readers of it could not decode.
    fileprivate func knownLeftOutRows() throws -> [LeftOutRow] {
        let rows = try notedRows()
        let known = Set(rows.map(\.rowid))
        return try rows
            + transaction.connection.database.undecodableRowReports.unreadable(in: name).filter {
                try !known.contains($0.row.rowid)
                    && transaction.store.digest(ofRow: $0.row.rowid, .both)?.digest == $0.digest
            }.map(\.row)
    }

    /// The rows that the extension leaves out, as far as they are noted.
    fileprivate func notedRows() throws -> [LeftOutRow] {
        try transaction.hooks(ofExtension: name)?.leftOutRows() ?? []
    }

    /// Leaves a row out that is read.
    /// - Throws: the error, if it says something else, or if the program wants it.
    func passOver(_ rowid: Int64, _ error: any Error) throws {
        guard mayPassOver(error) else { throw error }
        noteUnreadable(rowid, error)
    }

    /// Whether an error says that a row cannot be decoded, and the program does not want it.
    func mayPassOver(_ error: any Error) -> Bool {
        YapDatabaseError(undecodable: error) != nil && !transaction.failsOnUndecodableRows
    }

    /// Tells the program of a row that is read and cannot be decoded. If no other program has the file open, which may be able to decode
    /// it, the extension leaves it out from then on.
    func noteUnreadable(_ rowid: Int64, _ error: any Error) {
        guard let cause = YapDatabaseError(undecodable: error), !transaction.failsOnUndecodableRows,
            let (key, digest) = try? transaction.store.digest(ofRow: rowid, .both)
        else { return }
        let row = LeftOutRow(rowid: rowid, key: key, cause: cause.cause)
        transaction.connection.database.noteUnreadable(LeftOutRows.Report(name: name, row: row, digest: digest))
    }
}

extension YapDatabaseReadTransaction {
    /// An extension and those from which it reads, directly or through others, each once.
    func extensionsRead(by name: String) -> [String] {
        var names = [name]
        var next = 0
        while next < names.count {
            let dependencies = registered(names[next])?.dependencies.subtracting(names) ?? []
            names += dependencies.sorted()
            next += 1
        }
        return names
    }

    private func registered(_ name: String) -> (any ExtensionHooks)? {
        guard let write = self as? YapDatabaseReadWriteTransaction else { return snapshot.entry(name)?.extension }
        return write.extensions.first { $0.name.hasSameBytes(as: name) }?.extension
    }
}

/// Which rows a comparison of an extension with all rows names because they cannot be decoded and the file does not say so yet. The write
/// that places what was found notes them.
struct UndecodableNotes {
    private let listener: YapDatabaseExtensionTransaction
    private var noted: Set<Int64>?

    init(of listener: YapDatabaseExtensionTransaction) { self.listener = listener }

    /// Returns what is decoded of a row; nil if that is impossible. The row then belongs to those that are named, or not.
    mutating func ifDecodable<Content>(
        _ rowid: Int64, _ isNamed: inout Bool, _ decode: () throws -> Content
    ) throws -> Content? {
        do {
            return try decode()
        } catch let error as YapDatabaseError where error.code == .decodingFailed {
            isNamed = try mustBeNoted(rowid)
            return nil
        }
    }

    /// As many as are noted for one extension are named at most.
    mutating func mustBeNoted(_ rowid: Int64) throws -> Bool {
        if listener.transaction.failsOnUndecodableRows { return false }
        var noted = try self.noted ?? Set(listener.notedRows().map(\.rowid))
        defer { self.noted = noted }
        return noted.count < Store.maxLeftOutRows && noted.insert(rowid).inserted
    }
}

extension YapDatabase {
    fileprivate func noteUnreadable(_ report: LeftOutRows.Report) {
        UndecodableRowReports.queue.async { [reports = undecodableRowReports, options] in
            reports.report([report], options)
        }
        guard undecodableRowReports.noteUnreadable(report), !file.hasOthers else { return }
        registrations.async { [weak file, weak self] in
            file?.borrowing {
                // An error is that of a file that cannot be written now. The row is passed over again.
                try? self?.newConnection().readWrite { try $0.recheck(report.row, of: report.name) }
            }
        }
    }
}

extension YapDatabaseReadWriteTransaction {
    fileprivate func recheck(_ row: LeftOutRow, of name: String) throws {
        guard let listener = hooks(ofExtension: name), let key = try key(forRowid: row.rowid), key == row.key else {
            return
        }
        try step {
            try listener.recheck(
                ChangedRow(
                    rowid: row.rowid, key: key, flags: [.object, .metadata], isTouch: false, given: (nil, nil), size: 0,
                    transaction: self))
        }
    }
}
