import SQLiteBridge

/// What processes tell each other of their commits: a bounded table, written in the transaction that it describes.
///
///     CREATE TABLE "yap_commits" ("number" INTEGER PRIMARY KEY, "data" BLOB)
///
/// `number` is that of the commit, `data` the bytes of a ``CommitRecord``. The table exists only while several processes have the file
/// open: a writer that is alone writes nothing, and a process that opens or closes the file alone drops it. The original
/// ignores it.
///
/// A record is a part of its commit: SQLite keeps or drops both, and a reader finds the records of a state in the very
/// snapshot that it reads. It counts only in a chain of records whose marks lead without a gap from the state that the reader
/// knows to the one that it found. Whatever is wrong with the table (dropped, damaged, of another shape, hostile) costs
/// exactness, which is a reload, and never a commit.
///
/// Cost: one page of log a commit, and an estimate of 50 bytes a changed row.
extension Store {
    private static let recordsSchema = #"CREATE TABLE "yap_commits" ("number" INTEGER PRIMARY KEY, "data" BLOB)"#

    /// Bytes of the largest record. A commit that needs more is a reload for others.
    static let recordLimit = 1 << 20
    /// Bytes of all records, and their number: more than a reader that still follows is behind.
    static let recordsLimit = 4 << 20
    static let recordCountLimit = 1_024
    /// Commits between two looks at these limits.
    private static let pruneInterval = 64

    /// Adds the record of the commit that is about to be made in the current write transaction.
    /// - Throws: only the error with which SQLite ended the transaction.
    package func append(_ record: CommitRecord) throws {
        let bytes = record.bytes
        guard bytes.count <= Self.recordLimit, let number = Int64(exactly: record.after.number) else { return }
        do {
            guard try prepareRecords() else { return }
            try run(#"INSERT OR REPLACE INTO "yap_commits" ("number", "data") VALUES (?, ?)"#) {
                try $0.bind(number, at: 1)
                try $0.bind(bytes, at: 2)
            }
            recordBytes += bytes.count
            if record.after.number % Self.pruneInterval == 0 || recordBytes > Self.recordsLimit / 4 {
                recordBytes = 0
                try pruneRecords(through: number)
            }
        } catch {
            hasRecords = false
            try handle.checkTransaction()
        }
    }

    /// The records of the commits that lead from one state to another, in order; nil where the table does not have all of
    /// them. To be called in a transaction that reads the later state.
    package func records(from before: FileVersion, to after: FileVersion) -> [CommitRecord]? {
        let count = after.number - before.number
        guard before.change != nil, after.change != nil, (1...Self.recordCountLimit).contains(count) else { return nil }
        guard (try? isRecordsTable()) == true else { return nil }
        guard
            let found = try? all(
                #"SELECT "number", "data" FROM "yap_commits" WHERE "number" > ? AND "number" <= ? ORDER BY "number" LIMIT ?"#,
                bind: {
                    try $0.bind(Int64(before.number), at: 1)
                    try $0.bind(Int64(after.number), at: 2)
                    try $0.bind(Int64(count), at: 3)
                },
                read: { row in row.size(at: 1) <= Self.recordLimit ? CommitRecord(row.bytes(at: 1)[...]) : nil })
        else {
            hasRecords = false
            return nil
        }
        var mark = before
        for record in found {
            guard let record, record.before == mark, record.after.number == mark.number + 1 else {
                return nil
            }
            mark = record.after
        }
        return mark == after ? found.compactMap(\.self) : nil
    }

    /// Drops the table where it is there, for a process that has the file for itself. Best effort: what stays is harmless.
    package func dropRecords() {
        guard (try? isRecordsTable()) == true else { return }
        try? inWriteTransaction { try execute(#"DROP TABLE "yap_commits""#) }
    }

    /// Makes the table where it is missing.
    /// - Returns: false where something else has its name.
    private func prepareRecords() throws -> Bool {
        if hasRecords { return true }
        switch try recordsSQL() {
        case nil: try execute(Self.recordsSchema)
        case Self.recordsSchema: break
        default: return false
        }
        hasRecords = true
        return true
    }

    private func isRecordsTable() throws -> Bool {
        if !hasRecords { hasRecords = try recordsSQL() == Self.recordsSchema }
        return hasRecords
    }

    /// The text by which the table was made, nil where nothing has its name.
    private func recordsSQL() throws -> String? {
        try first(
            "SELECT type, sql FROM sqlite_master WHERE name = ? COLLATE NOCASE",
            bind: { try $0.bind(TableOwner.commitRecordsTable, at: 1) },
            read: { row in row.text(at: 0) == "table" ? row.text(at: 1) ?? "" : "" })
    }

    /// Removes the oldest records beyond the limits, and those behind the newest commit, which are of a state that the file had
    /// before it went back.
    private func pruneRecords(through newest: Int64) throws {
        let records = try all(
            #"SELECT "number", length("data") FROM "yap_commits" WHERE "number" <= ? ORDER BY "number" DESC LIMIT ?"#,
            bind: {
                try $0.bind(newest, at: 1)
                try $0.bind(Int64(Self.recordCountLimit), at: 2)
            },
            read: { (number: $0.int64(at: 0), size: Int($0.int64(at: 1))) })
        var size = 0
        let kept = records.prefix { record in
            size += min(record.size, Self.recordLimit)
            return size <= Self.recordsLimit
        }
        guard let oldest = kept.last else { return }
        try run(#"DELETE FROM "yap_commits" WHERE "number" < ? OR "number" > ?"#) {
            try $0.bind(oldest.number, at: 1)
            try $0.bind(newest, at: 2)
        }
    }
}
