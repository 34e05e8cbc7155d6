import Foundation

/// The clock of this machine, as a chat without a server reads it.
enum WallClock {
    /// Seconds that a test has the clock of this process be ahead, by the environment variable `YAP_CLOCK_AHEAD`.
    private static let ahead = ProcessInfo.processInfo.environment["YAP_CLOCK_AHEAD"].flatMap(Double.init) ?? 0

    static var now: Date { Date(timeIntervalSinceNow: ahead) }
}
