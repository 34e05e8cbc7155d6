import SQLiteBridge

/// Commit records for other processes: a bounded table, written in the transaction that each record describes.
///
///     CREATE TABLE "yap_commits" ("number" INTEGER PRIMARY KEY, "data" BLOB)
///
/// `number` is that of the commit, `data` the bytes of a ``CommitRecord``. The table exists only while several processes have
/// the file open: a single process writes no records, and drops the table when it opens or closes the file. The original
/// ignores the table.
///
/// A record is part of its commit: SQLite keeps or drops both, and a reader finds the records of a state in the snapshot that
/// it reads. Records are used only if their versions form a chain without gaps from the state that the reader knows to the
/// one that it found. A table that is missing, damaged, hostile or of another shape causes a reload, never a failed commit.
///
/// Cost: one page of log a commit, and an estimate of 50 bytes a changed row.
extension Store {
    private static let recordsSchema = #"CREATE TABLE "yap_commits" ("number" INTEGER PRIMARY KEY, "data" BLOB)"#

    /// The largest size of a record in bytes. Other processes reload after a larger commit.
    static let recordLimit = 1 << 20
    /// Limits of all records, in bytes and number. A reader that keeps up never needs more.
    static let recordsLimit = 4 << 20
    static let recordCountLimit = 1_024
    /// Commits between two checks of these limits.
    private static let pruneInterval = 64

    /// Adds the record of the commit that the current write transaction is about to make.
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

    /// Returns the records of the commits from one state to another, in order, or nil if any is missing. Must be called in a
    /// transaction that reads the later state.
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
        var version = before
        for record in found {
            guard let record, record.before == version, record.after.number == version.number + 1 else {
                return nil
            }
            version = record.after
        }
        return version == after ? found.compactMap(\.self) : nil
    }

    /// Returns the records of the commits that led to the state that the transaction reads, the newest first, without a gap. Empty if the
    /// last commit has none, as after one of a program without records, and for a file that no program has open.
    package func recordsBeforePresent() throws -> [CommitRecord] {
        guard hasLog else { return [] }
        try handle.findLogIndex()
        guard let change = handle.changeCounter, try isRecordsTable() else { return [] }
        var version = FileVersion(number: try snapshotNumber(), change: change)
        var (found, size): ([CommitRecord], Int) = ([], 0)
        let statement = try handle.statement(
            #"SELECT "data" FROM "yap_commits" WHERE "number" <= ? ORDER BY "number" DESC LIMIT ?"#)
        defer { statement.reset() }
        try statement.bind(Int64(version.number), at: 1)
        try statement.bind(Int64(Self.recordCountLimit), at: 2)
        while try statement.step() {
            size += statement.size(at: 0)
            guard size <= Self.recordsLimit + Self.recordLimit, let record = CommitRecord(statement.bytes(at: 0)[...]),
                record.after == version, record.before.number == version.number - 1
            else { break }
            found.append(record)
            version = record.before
        }
        return found
    }

    /// Drops the table if it exists. Called by a process that has the file to itself. A failure is harmless.
    package func dropRecords() {
        guard (try? isRecordsTable()) == true else { return }
        try? inWriteTransaction { try execute(#"DROP TABLE "yap_commits""#) }
    }

    /// Creates the table if it is missing.
    /// - Returns: false if another item of the schema has its name.
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

    /// The SQL of the table; nil if nothing has its name, empty if another kind of item has it.
    private func recordsSQL() throws -> String? {
        try first(
            "SELECT type, sql FROM sqlite_master WHERE name = ? COLLATE NOCASE",
            bind: { try $0.bind(TableOwner.commitRecordsTable, at: 1) },
            read: { row in row.text(at: 0) == "table" ? row.text(at: 1) ?? "" : "" })
    }

    /// Removes the oldest records beyond the limits, and records with numbers above the newest commit, which remain if the
    /// file was restored to an earlier state.
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
