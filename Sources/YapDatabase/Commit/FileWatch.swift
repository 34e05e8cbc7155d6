import Dispatch
import Foundation

/// Says when a file is written to, by whatever process, through inotify: one instance for the whole process, because the
/// system has few of them.
final class FileWatch: @unchecked Sendable {
    // @unchecked: `source` is made in `init` and never changed; the rest is behind a mutex.

    static let shared = Result { try FileWatch() }

    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let handlers = Locked<[Int32: @Sendable () -> Void]>([:])
    private static let queue = DispatchQueue(label: "YapDatabase file watch")
    /// How long the watch looks away after it saw something: a busy writer of this process must not wake it with every
    /// page. The system joins equal events meanwhile.
    private static let pause = DispatchTimeInterval.milliseconds(4)

    private init() throws {
        descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
        guard descriptor >= 0 else {
            throw YapDatabaseError(
                .cannotOpen,
                "The system has no inotify instance left to watch files with. Raise fs.inotify.max_user_instances.",
                underlying: POSIXError(.init(rawValue: errno) ?? .EMFILE))
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
        source.setEventHandler { [unowned self] in
            dispatch()
            source.suspend()
            Self.queue.asyncAfter(deadline: .now() + Self.pause) { [self] in source.resume() }
        }
        source.resume()
    }

    /// Calls the handler, on a queue of its own, soon after every write to the file.
    /// - Returns: what `remove` wants to have.
    func add(_ path: String, _ handler: @escaping @Sendable () -> Void) throws -> Int32 {
        try handlers.withLock { handlers in
            let watch = inotify_add_watch(descriptor, path, UInt32(IN_MODIFY))
            guard watch >= 0 else {
                throw YapDatabaseError(
                    .cannotOpen, "\(path) cannot be watched. Raise fs.inotify.max_user_watches.",
                    underlying: POSIXError(.init(rawValue: errno) ?? .ENOSPC))
            }
            handlers[watch] = handler
            return watch
        }
    }

    func remove(_ watch: Int32) {
        handlers.withLock { handlers in
            handlers[watch] = nil
            _ = inotify_rm_watch(descriptor, watch)
        }
    }

    /// Reads all events there are; many writes to one file are one call of its handler.
    private func dispatch() {
        var written: Set<Int32> = []
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
            while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                var offset = 0
                while offset < count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    written.insert(event.wd)
                    offset += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }
        for watch in written { handlers.withLock { $0[watch] }?() }
    }
}
