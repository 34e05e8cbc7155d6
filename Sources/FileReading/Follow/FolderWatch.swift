import Dispatch
import Foundation
import FileEngine

/// Reports, through inotify, when one of a few files in a folder is written, created, removed or replaced.
///
/// The files are watched for writes, and the folder for files that come and go, as a log does. Writes to other files of
/// a busy folder cause no wake-up.
final class FolderWatch: @unchecked Sendable {
    // @unchecked: nothing changes after `init`.

    let descriptor: Int32
    private let source: any DispatchSourceRead
    private static let writes = UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE)
    private static let arrivals = UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO)

    /// - Parameter handler: called on the queue, soon after one of the files changed.
    init(folder: String, names: Set<String>, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) throws {
        let descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
        guard descriptor >= 0, inotify_add_watch(descriptor, folder, Self.arrivals) >= 0 else {
            let reason = POSIXError(.init(rawValue: errno) ?? .EMFILE)
            if descriptor >= 0 { close(descriptor) }
            throw YapDatabaseError(
                .cannotOpen,
                "The folder \(folder) cannot be watched. Raise fs.inotify.max_user_watches and max_user_instances.",
                underlying: reason)
        }
        Self.watch(names, in: folder, descriptor)
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            guard Self.hasNews(descriptor, of: names) else { return }
            // A new file may not be watched yet.
            Self.watch(names, in: folder, descriptor)
            handler()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit { source.cancel() }

    /// Watches those of the files that exist. If the system refuses one, watches the whole folder.
    private static func watch(_ names: Set<String>, in folder: String, _ descriptor: Int32) {
        for name in names {
            let isRefused = inotify_add_watch(descriptor, folder + "/" + name, writes) < 0 && errno != ENOENT
            if isRefused { _ = inotify_add_watch(descriptor, folder, arrivals | writes) }
        }
    }

    /// Whether one of the pending events concerns a file itself, or one of `names` in the folder.
    private static func hasNews(_ descriptor: Int32, of names: Set<String>) -> Bool {
        var hasNews = false
        InotifyEvents.read(descriptor) { event, name in
            if event.len == 0 || names.contains(String(decoding: name, as: UTF8.self)) { hasNews = true }
        }
        return hasNews
    }
}
