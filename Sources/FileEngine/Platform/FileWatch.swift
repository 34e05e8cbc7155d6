import Dispatch
import Foundation

/// Reports writes to files by any process, through inotify. One instance serves the whole process, because the system limits
/// their number.
final class FileWatch: @unchecked Sendable {
    // @unchecked: `source` is assigned only in `init`; a mutex guards everything else.

    private static let instance = Locked<FileWatch?>(nil)

    /// The instance of this process, created on first use and again after a failed attempt.
    static func shared() throws -> FileWatch {
        try instance.withLock { instance in
            if let instance { return instance }
            let made = try FileWatch()
            instance = made
            return made
        }
    }

    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let state = Locked(State())
    private static let queue = DispatchQueue(label: "YapDatabase file watch")
    /// Milliseconds before a written file is watched again, so that a busy writer of this process does not pay for every
    /// page.
    private static let pause = 4
    /// The longest such pause, while the file does not exist.
    private static let longestPause = 1_000

    private struct State {
        var files: [Int: File] = [:]
        /// The files of each watch descriptor: names of the same file have one.
        var armed: [Int32: Set<Int>] = [:]
        var lastFile = 0
    }

    private struct File {
        let path: String
        let handler: @Sendable () -> Void
    }

    private init() throws {
        descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
        guard descriptor >= 0 else {
            throw YapDatabaseError(
                .cannotOpen,
                "No inotify instance is available to watch files. Raise fs.inotify.max_user_instances.",
                underlying: POSIXError(.init(rawValue: errno) ?? .EMFILE))
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
        source.setEventHandler { [unowned self] in dispatch() }
        source.resume()
    }

    /// Calls the handler on the watch's queue soon after every write to the file.
    /// - Returns: an identifier for `remove`.
    func add(_ path: String, _ handler: @escaping @Sendable () -> Void) throws -> Int {
        try state.withLock { state in
            state.lastFile += 1
            guard arm(state.lastFile, path, &state) else {
                throw YapDatabaseError(
                    .cannotOpen, "\(path) cannot be watched. Raise fs.inotify.max_user_watches.",
                    underlying: POSIXError(.init(rawValue: errno) ?? .ENOSPC))
            }
            state.files[state.lastFile] = File(path: path, handler: handler)
            return state.lastFile
        }
    }

    func remove(_ file: Int) {
        state.withLock { state in
            state.files[file] = nil
            guard let watch = state.armed.first(where: { $0.value.contains(file) })?.key else { return }
            state.armed[watch]?.remove(file)
            guard state.armed[watch] == [] else { return }
            state.armed[watch] = nil
            _ = inotify_rm_watch(descriptor, watch)
        }
    }

    /// Requests an event for the next write only.
    private func arm(_ file: Int, _ path: String, _ state: inout State) -> Bool {
        let watch = inotify_add_watch(descriptor, path, UInt32(IN_MODIFY) | UInt32(IN_ONESHOT))
        if watch >= 0 { state.armed[watch, default: []].insert(file) }
        return watch >= 0
    }

    /// Arms the watch of a file again after a pause. While the system refuses, for example because the file is gone, retries
    /// at growing intervals.
    private func armAgain(_ file: Int, after pause: Int = FileWatch.pause) {
        Self.queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [self] in
            let handler = state.withLock { state in
                guard let known = state.files[file] else { return nil as (@Sendable () -> Void)? }
                guard !arm(file, known.path, &state) else { return known.handler }
                armAgain(file, after: min(2 * pause, Self.longestPause))
                return nil
            }
            // Writes during the pause caused no event.
            handler?()
        }
    }

    /// Reads all pending events. The system ends a watch after the write that it was for, and with the file.
    private func dispatch() {
        var ended: Set<Int32> = []
        InotifyEvents.read(descriptor) { event, _ in
            if event.mask & UInt32(IN_MODIFY | IN_IGNORED) != 0 { ended.insert(event.wd) }
        }
        for watch in ended {
            let found = state.withLock { state in
                (state.armed.removeValue(forKey: watch) ?? []).compactMap { file in
                    state.files[file].map { (file, $0.handler) }
                }
            }
            for (file, handler) in found {
                handler()
                armAgain(file)
            }
        }
    }
}

package enum InotifyEvents {
    /// Reads all pending events of a non-blocking descriptor.
    /// - Parameter body: receives each event and, for a watched folder, the bytes of the file's name.
    package static func read(_ descriptor: Int32, _ body: (inotify_event, Slice<UnsafeRawBufferPointer>) -> Void) {
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
