import FileEngine
import Foundation

/// The server's time, as the last connection told it and a clock that cannot be set has gone on since: what is wrong with the clock of the
/// host does not matter. Right to the time of a round trip.
final class ServerTime: Sendable {
    /// A time that the server told, and when.
    struct Reading {
        var date: Date
        let instant = ContinuousClock.now

        init(microseconds: Int) { date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

        var now: Date {
            let passed = (ContinuousClock.now - instant).components
            return date.addingTimeInterval(Double(passed.seconds) + Double(passed.attoseconds) / 1e18)
        }
    }

    private let last = Locked<Reading?>(nil)

    /// Nil before the first connection.
    var now: Date? { last.withLock { $0 }?.now }

    func note(_ reading: Reading) { last.withLock { $0 = reading } }
}
