import Foundation

/// Seconds, on one of the system's clocks.
enum Time {
    /// Wall-clock time.
    static var passed: Double { read(CLOCK_MONOTONIC) }
    /// The processor time of this thread, without waiting and without other programs.
    static var used: Double { read(CLOCK_THREAD_CPUTIME_ID) }
    /// The processor time of all threads of this process.
    static var usedByAll: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Returns the wall-clock seconds of the work.
func passed(_ work: () throws -> Void) rethrows -> Double {
    let start = Time.passed
    try work()
    return Time.passed - start
}

/// Returns the processor seconds of the work on this thread.
func used(_ work: () throws -> Void) rethrows -> Double {
    let start = Time.used
    try work()
    return Time.used - start
}

/// Returns the processor seconds of the work on all threads.
func usedByAll(_ work: () throws -> Void) rethrows -> Double {
    let start = Time.usedByAll
    try work()
    return Time.usedByAll - start
}

/// Keeps the optimiser from removing an unused result.
@inline(never) func keep<Value>(_ value: Value) {}
