import Foundation
import LiveTable

/// How often the threads of a program with a live list wake up in ten seconds without any event. In a process of its own:
/// once a program uses the pool of Swift's tasks, libdispatch looks after it each second.
let idleCase = Case(
    name: "idle_wakeups", n: 10_000, k: 0, unit: "wake-ups", targets: [.value(atMost: 0, "wake-ups")], isAlone: true
) {
    try withLiveList(rows: 10_000) { list in
        try withBlockedSignals {
            let loop = try EventLoop(screen: list.terminal.screen)
            let observer = CommitObserver(list.database) { _ in }
            defer { observer.stop() }
            let watch = Watch(waker: loop.waker, except: list.terminal.drainThread)
            _ = loop.run(
                EventLoop.Handlers(
                    onEvent: { _ in }, onWake: { loop.stop() },
                    nextFrame: { list.tables.nextFrame(after: loop.now()) }, draw: list.draw))
            return Measurement(value: Double(watch.wakeUps))
        }
    }
}

/// Counts wake-ups on its own thread, then ends the loop.
private final class Watch: @unchecked Sendable {
    // @unchecked: `wakeUps` is read after the loop was woken, which is the thread's last action.

    private(set) var wakeUps = 0
    /// Seconds in which earlier work finishes and libdispatch's unused threads end.
    private static let settling = 8.0
    private static let duration = 10.0

    /// - Parameter thread: acts as the terminal, which is another program.
    init(waker: Waker, except thread: Int32) {
        Thread.detachNewThread { [self] in
            let ignored = [currentThreadNumber(), thread]
            Thread.sleep(forTimeInterval: Self.settling)
            let before = Self.switches(except: ignored)
            Thread.sleep(forTimeInterval: Self.duration)
            let after = Self.switches(except: ignored)
            // A thread that ended meanwhile woke up to do so.
            wakeUps =
                after.reduce(0) { $0 + $1.value - before[$1.key, default: 0] }
                + before.keys.count { after[$0] == nil }
            waker.wake()
        }
    }

    /// Returns how often each thread of the process has gone to sleep, by its number.
    private static func switches(except ignored: [Int32]) -> [Int32: Int] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        var switches: [Int32: Int] = [:]
        for thread in threads.compactMap(Int32.init) where !ignored.contains(thread) {
            let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            switches[thread] = line?.split(separator: "\t").last.flatMap { Int($0) }
        }
        return switches
    }
}
