import Dispatch
import Foundation

/// Reports changes of files by any process, through inotify. One instance serves the whole process, because the system limits
/// their number.
///
/// A file that is there is watched alone (``add(_:_:)``). Files that come and go, as logs do, are watched with their folder
/// (``add(_:in:_:)``); writes to other files of a busy folder cause no wake-up. A file is watched for its next write only, and again a
/// moment later, so that a writer that is busy does not pay for every page.
package final class FileWatch: @unchecked Sendable {
    // @unchecked: `source` is assigned only in `init`; a mutex guards everything else.

    private static let instance = Locked<FileWatch?>(nil)

    /// The instance of this process, created on first use and again after a failed attempt.
    package static func shared() throws -> FileWatch {
        try instance.withLock { instance in
            if let instance { return instance }
            let made = try FileWatch()
            instance = made
            return made
        }
    }

    let descriptor: Int32
    private let source: any DispatchSourceRead
    private let state = Locked(State())
    private let queue: DispatchQueue
    /// Milliseconds before a written file is watched again, if nothing else is wanted.
    static let pause = 4
    /// The longest such pause, while the file does not exist.
    private static let longestPause = 1_000
    private static let writes = UInt32(IN_MODIFY)
    /// A name more or less changes the number of names, which the file itself has.
    private static let names = UInt32(IN_ATTRIB) | UInt32(IN_MOVE_SELF) | UInt32(IN_DELETE_SELF)
    private static let arrivals =
        UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)

    private struct State {
        /// A few for each open file, in the order of their numbers.
        private var entries: [(number: Int, entry: Entry)] = []
        /// What each watch descriptor is for: names of the same file have one. A process has few: three for each open file.
        var armed: [(watch: Int32, target: Target)] = []
        private var lastEntry = 0

        func entry(_ number: Int) -> Entry? { entries.first { $0.number == number }?.entry }

        mutating func add(_ entry: Entry) -> Int {
            lastEntry += 1
            entries.append((lastEntry, entry))
            return lastEntry
        }

        mutating func remove(_ number: Int) { entries.removeAll { $0.number == number } }
    }

    private struct Entry {
        /// Nil for a file that is watched alone.
        let folder: (path: String, names: Set<String>)?
        var events = FileWatch.writes
        var pause: (@Sendable () -> Int)?
        let handler: @Sendable () -> Void
    }

    /// A file or a folder of an entry.
    private struct Target: Equatable {
        let entry: Int
        let path: String
    }

    init(queue: DispatchQueue = DispatchQueue(label: "YapDatabase file watch")) throws {
        descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
        guard descriptor >= 0 else { throw Self.refusal(errno) }
        self.queue = queue
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.dispatch() }
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.resume()
    }

    /// Why there is no instance. The system has one number for two limits, of the process's descriptors and of the user's instances: another
    /// descriptor tells which.
    static func refusal(_ code: Int32) -> YapDatabaseError {
        let other = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if other < 0, let error = SystemLimit.error(opening: "A watch of the file", errno) { return error }
        if other >= 0 { close(other) }
        return YapDatabaseError(
            .cannotOpen, "No inotify instance is available to watch files. Raise fs.inotify.max_user_instances.",
            underlying: POSIXError(.init(rawValue: code) ?? .EMFILE))
    }

    deinit { source.cancel() }

    /// Calls the handler on the watch's queue soon after every write to the file.
    /// - Parameter pause: says after a write for how many milliseconds the file is not watched, 4 if it is nil; then the handler is called again.
    /// - Returns: an identifier for ``remove(_:)``.
    package func add(
        _ path: String, pause: (@Sendable () -> Int)? = nil,
        _ handler: @escaping @Sendable () -> Void
    ) throws -> Int {
        try add(Entry(folder: nil, pause: pause, handler: handler)) { entry, state in
            arm(Target(entry: entry, path: path), &state) ? nil : path
        }
    }

    /// Calls the handler on the watch's queue soon after the file may have been moved, removed or replaced.
    /// - Returns: an identifier for ``remove(_:)``.
    func add(nameOf path: String, _ handler: @escaping @Sendable () -> Void) throws -> Int {
        try add(Entry(folder: nil, events: Self.names, handler: handler)) { entry, state in
            arm(Target(entry: entry, path: path), &state) ? nil : path
        }
    }

    /// Calls the handler on the watch's queue soon after one of the files in the folder is written, created, moved, removed or replaced.
    /// - Returns: an identifier for ``remove(_:)``.
    package func add(
        _ names: Set<String>, in folder: String, _ handler: @escaping @Sendable () -> Void
    ) throws -> Int {
        try add(Entry(folder: (folder, names), handler: handler)) { entry, state in
            guard arm(Target(entry: entry, path: folder), &state, for: Self.arrivals) else { return folder }
            armFiles(of: entry, &state)
            return nil
        }
    }

    /// - Parameter arm: returns what the system does not let be watched.
    private func add(_ entry: Entry, _ arm: (Int, inout State) -> String?) throws -> Int {
        try state.withLock { state in
            let number = state.add(entry)
            guard let refused = arm(number, &state) else { return number }
            state.remove(number)
            throw YapDatabaseError(
                .cannotOpen, "\(refused) cannot be watched. Raise fs.inotify.max_user_watches.",
                underlying: POSIXError(.init(rawValue: errno) ?? .ENOSPC))
        }
    }

    /// Ends what the shared instance watches for an entry, if there is one.
    package static func end(_ entry: inout Int?) {
        guard let known = entry, let files = try? shared() else { return }
        files.remove(known)
        entry = nil
    }

    func remove(_ entry: Int) {
        state.withLock { state in
            state.remove(entry)
            let ended = state.armed.filter { $0.target.entry == entry }.map(\.watch)
            state.armed.removeAll { $0.target.entry == entry }
            for watch in ended where !state.armed.contains(where: { $0.watch == watch }) {
                _ = inotify_rm_watch(descriptor, watch)
            }
        }
    }

    /// Requests an event for the next change of a file only, or for each change in a folder.
    private func arm(_ target: Target, _ state: inout State, for mask: UInt32? = nil) -> Bool {
        let once = (state.entry(target.entry)?.events ?? Self.writes) | UInt32(IN_ONESHOT) | UInt32(IN_MASK_ADD)
        let watch = inotify_add_watch(descriptor, target.path, mask ?? once)
        guard watch >= 0 else { return false }
        if !state.armed.contains(where: { $0 == (watch, target) }) { state.armed.append((watch, target)) }
        return true
    }

    /// Watches those of the files that exist. If the system refuses one, watches all writes in the folder.
    private func armFiles(of entry: Int, _ state: inout State) {
        guard let (folder, names) = state.entry(entry)?.folder else { return }
        for name in names where !arm(Target(entry: entry, path: folder + "/" + name), &state) && errno != ENOENT {
            _ = arm(Target(entry: entry, path: folder), &state, for: Self.arrivals | Self.writes)
        }
    }

    /// Watches a file again after a pause. While the system refuses, for example because the file is gone, retries at growing intervals;
    /// where its folder is watched, that tells when it is back.
    private func armAgain(_ target: Target, after pause: Int) {
        queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
            guard let self else { return }
            let handler = state.withLock { state in
                guard let entry = state.entry(target.entry) else { return nil as (@Sendable () -> Void)? }
                // A folder that is gone does not come back: the file that was in it is another one.
                if target.path == entry.folder?.path { return nil }
                if arm(target, &state) || entry.folder != nil { return entry.handler }
                armAgain(target, after: min(2 * pause, Self.longestPause))
                return nil
            }
            // Writes during the pause caused no event.
            handler?()
        }
    }

    /// Reads all pending events. The system ends the watch of a file after the write that it was for, and with the file.
    private func dispatch() {
        var ended: Set<Int32> = []
        var arrivals: Set<Int> = []
        InotifyEvents.read(descriptor) { event, name in
            if event.len > 0 {
                arrivals.formUnion(entries(of: event.wd, named: String(decoding: name, as: UTF8.self)))
            } else if event.mask & UInt32(IN_MODIFY | IN_IGNORED) != 0 {
                ended.insert(event.wd)
            }
        }
        let (written, handlers) = state.withLock { state in
            let written = state.armed.filter { ended.contains($0.watch) }.map { armed in
                (target: armed.target, pause: state.entry(armed.target.entry)?.pause)
            }
            state.armed.removeAll { ended.contains($0.watch) }
            for entry in arrivals { armFiles(of: entry, &state) }
            return (written, arrivals.union(written.map(\.target.entry)).compactMap { state.entry($0)?.handler })
        }
        for handler in handlers { handler() }
        for (target, pause) in written { armAgain(target, after: pause?() ?? Self.pause) }
    }

    /// The entries that watch a file of this name in a folder.
    private func entries(of watch: Int32, named name: String) -> [Int] {
        state.withLock { state in
            state.armed.filter { $0.watch == watch }.map(\.target.entry)
                .filter { state.entry($0)?.folder?.names.contains(name) ?? false }
        }
    }
}

private enum InotifyEvents {
    /// Reads all pending events of a non-blocking descriptor.
    /// - Parameter body: receives each event and, for a watched folder, the bytes of the file's name.
    static func read(_ descriptor: Int32, _ body: (inotify_event, Slice<UnsafeRawBufferPointer>) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
            while case let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                var offset = 0
                while offset < count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let start = offset + MemoryLayout<inotify_event>.size
                    offset = start + Int(event.len)
                    // The name is padded with zeros.
                    let name = UnsafeRawBufferPointer(buffer)[start..<offset]
                    body(event, name[..<(name.firstIndex(of: 0) ?? offset)])
                }
            }
        }
    }
}
