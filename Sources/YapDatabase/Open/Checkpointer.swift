import Dispatch
import SQLiteBridge
import Synchronization

/// Moves pages from the write-ahead log into the file, beside the writers: on a queue and a handle of its own.
///
/// A passive checkpoint waits for nobody and keeps nobody waiting. When it has copied everything and no reader stands
/// in the log, the next commit starts the log from its beginning.
final class Checkpointer: @unchecked Sendable {
    // @unchecked: `store` is touched on `queue` only.

    /// Pages in the log from which on a checkpoint is worth its waits for the disk.
    static let threshold = 500

    private let queue = DispatchQueue(label: "YapDatabase checkpoints", qos: .utility)
    private var store: Store?
    private let isAsked = Atomic(false)

    init(store: Store) { self.store = store }

    /// Asks for a checkpoint soon. Many calls before it runs are one.
    func ask() {
        guard !isAsked.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self] in
            isAsked.store(false, ordering: .releasing)
            // Failing is harmless here: the log keeps everything, the next commit asks again, and an error that lasts
            // (a full disk, a dead one) meets the next write, which throws it.
            _ = try? store?.handle.checkpoint(.passive)
        }
    }

    func close() { queue.sync { store = nil } }
}
