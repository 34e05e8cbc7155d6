import Foundation

/// Seconds, on one of the system's clocks.
enum Time {
    /// By the clock on the wall.
    static var passed: Double { read(CLOCK_MONOTONIC) }
    /// That this thread has used of a processor: other programs do not show in it, and neither does waiting.
    static var used: Double { read(CLOCK_THREAD_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The seconds by the clock that the work takes.
func passed(_ work: () throws -> Void) rethrows -> Double {
    let start = Time.passed
    try work()
    return Time.passed - start
}

/// The processor seconds that the work takes on this thread.
func used(_ work: () throws -> Void) rethrows -> Double {
    let start = Time.used
    try work()
    return Time.used - start
}

/// Keeps the optimiser from leaving out what nobody looks at.
@inline(never) func keep<Value>(_ value: Value) {}
