import Dispatch
import Foundation
import SeededRandom

/// The duration and the seed of each attack: two seconds in `./run test`, any duration in `./run attack`.
public enum Attack {
    public static let seconds = ProcessInfo.processInfo.environment["YAP_ATTACK_SECONDS"].flatMap { Double($0) } ?? 2
    public static let seed =
        ProcessInfo.processInfo.environment["YAP_ATTACK_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)

    /// Seconds that one round may take on a busy machine. A longer round counts as hanging and stops the tests.
    private static let patience = 900

    /// Runs rounds until the time is over, each with its own seed, which is logged before the round begins: the seed of
    /// a round that stops the program, or hangs, is among the last in the log. Runs on a separate thread, so that
    /// attacks run in parallel however long each takes, and in the test's own task, so that what is recorded is of the test.
    public static func rounds(_ name: String, _ body: @escaping @Sendable (UInt64) throws -> Void) async throws {
        try await withTaskExecutorPreference(ThreadExecutor()) { try runRounds(name, body) }
    }

    /// Runs rounds until the time is over, each with its own seed, in the test's task: rounds that start processes and wait for them.
    public static func roundsOfProcesses(_ body: (UInt64) async throws -> Void) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        var seed = seed
        repeat {
            try await body(seed)
            seed &+= 1
        } while ContinuousClock.now < end
    }

    private static func runRounds(_ name: String, _ body: (UInt64) throws -> Void) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        var round: UInt64 = 0
        repeat {
            let line = "attack \(name): round \(round), seed \(seed &+ round)"
            note(line)
            let watchdog = DispatchWorkItem { fatalError("\(line) hangs") }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(patience), execute: watchdog)
            defer { watchdog.cancel() }
            try body(seed &+ round)
            round += 1
        } while ContinuousClock.now < end
        print("attack \(name): \(round) rounds from seed \(seed)")
    }

    private static func note(_ line: String) {
        guard let log = ProcessInfo.processInfo.environment["YAP_ATTACK_LOG"] else { return }
        let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return }
        let bytes = Array((line + "\n").utf8)
        _ = write(descriptor, bytes, bytes.count)
        close(descriptor)
    }
}

/// Runs each piece of a task on a thread of its own.
private final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
