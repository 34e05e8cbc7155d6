import CNcurses
import Dispatch

/// libdispatch's main queue as a descriptor, so that its work runs between keys and frames.
@MainActor struct MainQueue {
    /// Readable while the queue has work.
    let descriptor = _dispatch_get_main_queue_handle_4CF()

    /// Runs the pending work.
    func drain() {
        yap_clear_wake(descriptor)
        _dispatch_main_queue_callback_4CF(nil)
    }
}
