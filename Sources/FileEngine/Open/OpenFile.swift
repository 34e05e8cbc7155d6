import Dispatch
import Foundation
import SQLiteBridge
import Synchronization

/// The claim of one database object on one file. A second claim in the same process is refused, because the caches and
/// commit logs of two objects would diverge.
///
/// The claim ends when the database is released or closed and its last handle is closed.
package final class OpenFile: Sendable {
    package let path: String
    /// Entered by every counted SQLite handle.
    private let handles = DispatchGroup()
    private let state = Locked(State())
    private let isClaimed = Atomic(false)
    /// How long opening waits for a database without references to finish closing.
    private static let closeTimeout = Duration.seconds(10)

    private struct State {
        var presence: Presence?
        var line: WriterLine?
        /// Nil before ``opened(by:)``.
        var place: FilePlace?
        var owner: Owner = .opening
        /// Background tasks that hold a reference to the owner for a moment.
        var borrows = 0
        var interrupters: [Weak<SQLiteInterrupter>] = []
        /// The extensions that other processes see this one use.
        var used: Set<String> = []
    }

    private enum Owner {
        case opening
        case user(Weak<AnyObject>)
    }

    /// Claims by path. An entry whose object is gone is about to be removed.
    private static let claims = Locked<[String: Weak<OpenFile>]>([:])

    /// Claims the path. The file itself need not exist yet.
    /// - Throws: ``YapDatabaseError`` with `alreadyOpen` if a database in use has claimed it, and `cannotOpen` if the file
    ///   has several hard links.
    package init(_ url: URL) throws {
        guard url.isFileURL else {
            throw YapDatabaseError(.cannotOpen, "\(url) is not the URL of a file.")
        }
        path = Self.canonicalPath(url)
        try DispatchDescriptors.make(for: path)
        let deadline = ContinuousClock.now + Self.closeTimeout
        while let conflict = claim() {
            guard conflict == .ending, ContinuousClock.now < deadline else { throw Self.alreadyOpen(path) }
            usleep(1_000)
        }
        do {
            try Self.checkNames(path)
        } catch {
            release()
            throw error
        }
    }

    deinit { release() }

    /// Keeps the claim alive for one handle until the returned closure is called.
    /// - Parameter isCounted: whether ``waitForHandles()`` waits for the handle.
    func enter(isCounted: Bool = true) -> @Sendable () -> Void {
        if isCounted { handles.enter() }
        return { [self] in if isCounted { handles.leave() } else { withExtendedLifetime(self) {} } }
    }

    /// Registers a handle for ``interruptStatements()``.
    func add(_ interrupter: SQLiteInterrupter) {
        state.withLock { state in
            state.interrupters.removeAll { $0.object == nil }
            state.interrupters.append(Weak(interrupter))
        }
    }

    /// Interrupts every running statement with an error.
    package func interruptStatements() {
        let interrupters = state.withLock { $0.interrupters.compactMap(\.object) }
        for interrupter in interrupters { interrupter.interrupt() }
    }

    /// Waits until every counted handle is closed. The caller must have begun to close all of them. A connection that
    /// another thread is releasing is in no list, and closes when that thread is done with it.
    package func waitForHandles() { handles.wait() }

    package func release() {
        Self.claims.withLock { claims in
            // Closed before the claim ends; otherwise closing would release the locks of a new database in this
            // process.
            let presence = state.withLock { state in
                defer { state.presence = nil }
                return state.presence
            }
            withExtendedLifetime(presence) {}
            if isClaimed.exchange(false, ordering: .relaxed) { claims[path] = nil }
        }
    }

    /// Returns the same text for every path of a file. The file need not exist, nor what a link leads to: SQLite makes the file, and its log, there.
    static func canonicalPath(_ url: URL) -> String {
        var path = pathOfExistingLinks(url)
        // Foundation leaves a link to nothing as it is.
        for _ in 0..<linkLimit {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = pathOfExistingLinks(URL(filePath: target.first == "/" ? target : path.folderOfFile + "/" + target))
        }
        return path
    }

    /// As many as Linux follows. A circle has more, and SQLite then says that it cannot be opened.
    private static let linkLimit = 40

    private static func pathOfExistingLinks(_ url: URL) -> String {
        // What follows gives the same for a path without "..", in ten times as long.
        let given = plainPath(url) ?? url.path
        if given.first == "/", !given.contains(".."), let real = realpath(given, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let url = url.standardizedFileURL
        let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
        return folder.appending(path: url.lastPathComponent).resolvingSymlinksInPath().path
    }

    /// The path of a file URL that needs no decoding; nil of another one. `path` takes another tenth of a millisecond the first time.
    private static func plainPath(_ url: URL) -> String? {
        let text = url.absoluteString
        let isPlain = !text.utf8.contains { "%?#;".utf8.contains($0) } && text.utf8.last != UInt8(ascii: "/")
        return isPlain ? text.dropping(prefix: "file://") : nil
    }
}

// MARK: Claims

extension OpenFile {
    private enum Conflict { case inUse, ending }

    /// - Returns: nil if the claim succeeded.
    private func claim() -> Conflict? {
        let identity = FileIdentity(ofFile: path)
        // Keeps a last reference from being released inside the lock.
        var others: [OpenFile] = []
        defer { withExtendedLifetime(others) {} }
        return Self.claims.withLock { claims -> Conflict? in
            others = claims.values.compactMap(\.object)
            let sameFile = others.first { $0.path == path || identity != nil && $0.identity == identity }
            if let sameFile { return sameFile.isEnding ? .ending : .inUse }
            if claims[path] != nil { return .ending }
            claims[path] = Weak(self)
            isClaimed.store(true, ordering: .relaxed)
            return nil
        }
    }

    private var identity: FileIdentity? { state.withLock { $0.place?.identity } }

    /// Whether the database is being released: it has no references, or background tasks hold one.
    private var isEnding: Bool {
        state.withLock { state in
            guard case .user(let user) = state.owner else { return false }
            return state.borrows > 0 || user.object == nil
        }
    }

    /// Runs a background task that may hold a reference to the database.
    package func borrowing(_ body: () throws -> Void) rethrows {
        state.withLock { $0.borrows += 1 }
        defer { state.withLock { $0.borrows -= 1 } }
        try body()
    }

    /// Whether a database object of this process has the file open.
    static func isClaimed(_ url: URL) -> Bool {
        let path = canonicalPath(url)
        return claims.withLock { $0[path] != nil }
    }

    /// Whether the path leads, by any name, to a database that is open in this process or to one of its companion
    /// files.
    static func isPart(_ path: String) -> Bool {
        let identity = FileIdentity(ofFile: path)
        return claims.withLock { Array($0.keys) }.contains { claimed in
            ["", "-wal", "-shm", "-journal"].contains { suffix in
                claimed + suffix == path || identity != nil && FileIdentity(ofFile: claimed + suffix) == identity
            }
        }
    }

    private static func alreadyOpen(_ path: String) -> YapDatabaseError {
        YapDatabaseError(
            .alreadyOpen,
            "\(path) is open already in this process. Use the database object that opened it, or close it first.")
    }
}

// MARK: The file behind the name

extension OpenFile {
    /// Records the identity of the file, which must exist, and shows other processes that this one has it open.
    package func opened(by user: any FileUser) throws {
        let presence = try Presence(path: path)
        state.withLock { state in
            (state.presence, state.line) = (presence, WriterLine(presence))
            state.place = presence.status.map { FilePlace(path: path, identity: FileIdentity($0)) }
            state.owner = .user(Weak(user))
        }
        try checkPlace()
    }

    /// Whether another process has the file open. Costs one system call.
    package var hasOthers: Bool { presence?.hasOthers ?? false }

    /// Shows other processes that this one uses exactly these extensions.
    package func use(_ names: Set<String>) {
        state.withLock { state in
            guard let presence = state.presence else { return }
            for name in state.used.symmetricDifference(names) {
                presence.setUse(names.contains(name), ofExtension: name)
            }
            state.used = names
        }
    }

    /// Shows other processes that this one uses an extension, too.
    package func use(alsoExtension name: String) {
        state.withLock { state in
            if state.used.insert(name).inserted { state.presence?.setUse(true, ofExtension: name) }
        }
    }

    /// Whether another running process uses an extension.
    package func isUsedByOthers(extension name: String) -> Bool {
        presence?.isUsedByOthers(extension: name) ?? false
    }

    /// Holds a name of the program's own until the file is closed or the process ends, however it ends.
    /// - Returns: false if the file system has no locks that other processes can see.
    package func hold(name: String) -> Bool {
        guard let presence, presence.isLocked else { return false }
        // No extension's name begins so.
        presence.setUse(true, ofExtension: "\0\(name)")
        return true
    }

    /// Whether another running process holds a name. One system call.
    package func isHeldByOthers(name: String) -> Bool { isUsedByOthers(extension: "\0\(name)") }

    var presence: Presence? { state.withLock { $0.presence } }
    var line: WriterLine? { state.withLock { $0.line } }

    /// - Throws: ``YapDatabaseError`` with `fileReplaced` if the path leads to another file than the opened one, or to none.
    ///   Usually costs one system call.
    package func checkPlace() throws {
        let isInPlace = state.withLock { state in
            guard let presence = state.presence else {
                return state.place.map { FileIdentity(ofFile: path) == $0.identity }
            }
            return state.place?.leads(to: presence)
        }
        guard isInPlace == false else { return }
        throw YapDatabaseError(
            .fileReplaced,
            "\(path) was moved, removed or replaced by another file while it was open. Nothing more is written, neither to the "
                + "old file nor to the new one. Close the database and open it again. If it was moved, its newest commits may be in "
                + "\(path)-wal: put that beside it first, under its new name with \"-wal\".")
    }

    /// A file with two names has two logs, and commits through one would destroy those through the other.
    private static func checkNames(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 1 else { return }
        throw YapDatabaseError(
            .cannotOpen,
            "\(path) has \(status.st_nlink) names (hard links). SQLite keeps a log beside each of them, and a change made by one "
                + "name destroys the file for the other. Make a copy, and remove the other names.")
    }
}
