import Foundation

@testable import YapDatabase

/// Dates as seconds, for a clock that a test moves.
extension YapManualClock {
    static func at(_ seconds: Double) -> YapManualClock {
        YapManualClock(Date(timeIntervalSinceReferenceDate: seconds))
    }

    func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    func advance(to seconds: Double) { set(to: date(seconds)) }
}
