import Dispatch
import Foundation
import YapDatabase

/// Says when one of a few files in a folder is written to, made, removed or replaced, through inotify.
///
/// The folder is watched and not the files, because a log comes and goes.
final class FolderWatch: @unchecked Sendable {
    // @unchecked: nothing changes after `init`.

    private let source: any DispatchSourceRead
    private static let events =
        UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE)

    /// - Parameter handler: called on the queue, soon after something happened to one of the files.
    init(folder: String, names: Set<String>, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) throws {
        let descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
        guard descriptor >= 0, inotify_add_watch(descriptor, folder, Self.events) >= 0 else {
            let reason = POSIXError(.init(rawValue: errno) ?? .EMFILE)
            if descriptor >= 0 { close(descriptor) }
            throw YapDatabaseError(
                .cannotOpen,
                "The folder \(folder) cannot be watched. Raise fs.inotify.max_user_watches and max_user_instances.",
                underlying: reason)
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { if Self.hasNews(descriptor, of: names) { handler() } }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit { source.cancel() }

    /// Reads all events there are.
    private static func hasNews(_ descriptor: Int32, of names: Set<String>) -> Bool {
        var hasNews = false
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
            while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                var offset = 0
                while offset < count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let start = offset + MemoryLayout<inotify_event>.size
                    // The name is padded with zeros.
                    let name = buffer[start..<start + Int(event.len)].prefix { $0 != 0 }
                    if names.contains(String(decoding: name, as: UTF8.self)) { hasNews = true }
                    offset = start + Int(event.len)
                }
            }
        }
        return hasNews
    }
}
