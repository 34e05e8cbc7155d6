import Dispatch

/// What a connection can let go of.
public struct YapDatabaseConnectionFlushMemoryFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes a set of bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Objects, metadata and keys.
    public static let caches = Self(rawValue: 1 << 0)
    /// Prepared statements.
    public static let statements = Self(rawValue: 1 << 1)
    /// Pages of the file that SQLite holds.
    public static let `internal` = Self(rawValue: 1 << 2)
    /// Everything.
    public static let all: Self = [.caches, .statements, .internal]
}

extension YapDatabaseConnection {
    /// Frees memory; what was in it is read again when it is needed.
    public func flushMemory(with flags: YapDatabaseConnectionFlushMemoryFlags = .all) throws {
        try inOrder {
            if flags.contains(.caches) { caches.removeAll() }
            let store = try store()
            if flags.contains(.statements) { store.freeStatements() }
            if flags.contains(.internal) { store.freePages() }
        }
    }

    /// Writes the file anew without its gaps. Ends a long-lived read transaction of this connection.
    ///
    /// New files shrink by themselves, so this helps only older ones. Others may read meanwhile but not write, and are
    /// told afterwards that anything may have changed. Costs a copy of the whole file.
    public func vacuum() throws {
        try exclusively { try vacuumOnQueue() }
    }

    /// Like ``vacuum()``, later, on the connection's queue.
    public func asyncVacuum(
        completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable ((any Error)?) -> Void
    ) {
        later {
            let result = Result { try self.vacuumOnQueue() }
            (completionQueue ?? .main).async {
                if case .failure(let error) = result { completionBlock(error) } else { completionBlock(nil) }
            }
        }
    }

    private func vacuumOnQueue() throws {
        try endLongLivedImplicitly()
        try database.writeGate.pass {
            let store = try store()
            try database.file.checkPlace()
            defer { database.markOfVacuum.withLock { $0 = nil } }
            let (before, after) = try store.vacuum { before in
                database.markOfVacuum.withLock { $0 = before.afterVacuum }
            }
            database.followVacuum(from: before, to: after)
        }
    }

    /// 0 for off, 1 for normal, 2 for full.
    public func pragmaSynchronous() throws -> Int { try pragma("synchronous") }
    /// Bytes of a page.
    public func pragmaPageSize() throws -> Int { try pragma("page_size") }
    /// Bytes of the file that are mapped into memory at most.
    public func pragmaMMapSize() throws -> Int { try pragma("mmap_size") }
    /// 0 for none, 1 for full, 2 for incremental.
    public func pragmaAutoVacuum() throws -> Int { try pragma("auto_vacuum") }

    private func pragma(_ name: String) throws -> Int {
        try inOrder { try store().pragma(name) }
    }
}

extension YapDatabase {
    /// Whoever meets the state that a vacuum has made before the vacuum itself could say so waits here until it has, and
    /// so does not take it for the commit of a stranger. Costs a look at a lock when there is none.
    func waitForVacuum(to mark: FileVersion) {
        if markOfVacuum.withLock({ $0 == mark }) { writeGate.pass {} }
    }

    /// Takes the commit of a vacuum, which has no number of its own, for what it is: nothing changed but where things lie.
    /// Where somebody else committed as well, it stays a commit that nobody knows anything of.
    fileprivate func followVacuum(from before: FileVersion, to after: FileVersion) {
        let latest = commitLog.latest
        guard latest.mark == before, after == before.afterVacuum else { return }
        let snapshot = Snapshot(
            mark: after, extensions: latest.extensions, missing: latest.missing, displaced: latest.displaced,
            dormant: latest.dormant)
        let commit = Commit(snapshot: snapshot, isExternal: true)
        if commitLog.adopt(commit, after: before) === commit { announce() }
    }
}
