import CNcurses
import Foundation

/// Reads the blocked signals one by one.
final class SignalDescriptor {
    let descriptor: Int32

    init(_ signals: [Int32]) throws(TerminalError) {
        guard signals.allSatisfy(yap_is_signal_blocked) else {
            fatalError("Call Terminal.blockSignals() first in main, before any thread starts.")
        }
        descriptor = yap_signal_descriptor(signals, Int32(signals.count))
        guard descriptor >= 0 else {
            throw TerminalError(.refused, "No descriptor for signals: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Returns the next pending signal, nil if there is none.
    func next() -> Int32? {
        let number = yap_next_signal(descriptor)
        return number == 0 ? nil : number
    }
}
