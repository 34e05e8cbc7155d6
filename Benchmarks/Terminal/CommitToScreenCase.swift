import Foundation
import LiveTable
import YapDatabase

/// From the call of `readWrite` on another connection and another thread to the bytes of the changed row, with one
/// commit right after the other. The reference is such a commit and such a frame, each measured apart, by the clock too.
let commitToScreenCase = Case(
    name: "commit_to_screen", n: 10_000, k: 1, unit: "ms", targets: [.value(atMost: 0.3, "ms"), .ratio(atMost: 2)]
) { try measureCommits(2_000, pause: 0) }

/// The same with a pause of 20 milliseconds before each commit, as with a user at a keyboard: the threads sleep,
/// perhaps the processor too, and both must wake up. The reference has the same pause before each commit and each frame.
let pausedCommitToScreenCase = Case(
    name: "commit_to_screen_after_pause", n: 10_000, k: 1, unit: "ms", targets: [.ratio(atMost: 2)]
) {
    try measureCommits(200, pause: 0.02)
}

/// The same by hand, with SQLite alone (``HandDrawnList``), against such commits and frames of its own: what is possible on this machine.
let leastCommitToScreenCase = Case(name: "commit_to_screen_least", n: 10_000, k: 1, unit: "ms") {
    let commits = 2_000
    return try withScratchFolder { folder in
        try withTerminal { terminal in
            let url = folder.appending(path: "numbers.sqlite")
            let list = try HandDrawnList(terminal, url)
            // Unsafe: used on the writer's queue only.
            nonisolated(unsafe) let handle = try RawHandle(url)
            nonisolated(unsafe) let update = try handle.prepare(HandDrawnList.update)
            let writer = Writer(list.rows, pause: 0) { key, object in
                try handle.inTransaction { try update.run(object, NumberList.collection, key) }
            }
            let frames = measureFrames(commits) { number, time in
                list.show(number % list.rows.count, Data([UInt8(truncatingIfNeeded: number)]), at: time)
                terminal.screen.show(list.draw(at: time))
            }
            return try measure(list, writer, commits, frames: frames)
        }
    }
}

@MainActor private func measureCommits(_ commits: Int, pause: Double) throws -> Measurement {
    let frames = try withTerminal { terminal in
        var pane = Pane(terminal, rows: 10_000)
        return measureFrames(commits, pause: pause) { number, time in
            pane.time = time
            pane.edit(number % (PseudoTerminal.height - 2))
            pane.show()
        }
    }
    return try withLiveList(rows: 10_000) { list in
        let keys = try list.firstKeys(PseudoTerminal.height - 2)
        let objects = try keys.map(list.object)
        let connection = try list.database.newConnection()
        let writer = Writer(Array(zip(keys, objects)), pause: pause) { key, object in
            try connection.readWrite { try $0.setObject(object, forKey: key, inCollection: NumberList.collection) }
        }
        return try measure(list, writer, commits, frames: frames)
    }
}

@MainActor private func measure(
    _ list: some FollowingList, _ writer: Writer, _ commits: Int, frames: [Double]
) throws -> Measurement {
    let seconds = try runLoop(list, until: writer, commits)
    let apart = try (0..<commits).map { _ in try writer.commit() }
    return Measurement(value: seconds.median * 1e3, reference: (apart.median + frames.median) * 1e3)
}

/// Makes such frames without commits: each shows the change of a row, and the fading of those before it.
/// - Parameter frame: shows the frame of this number at a time that passes as it does for a user.
/// - Returns: the seconds of each.
@MainActor private func measureFrames(
    _ count: Int, pause: Double = 0, _ frame: (_ number: Int, _ time: Double) -> Void
) -> [Double] {
    let begin = Time.passed
    return (0..<count).map { number in
        if pause > 0 { usleep(UInt32(pause * 1e6)) }
        let start = Time.passed
        frame(number, start - begin)
        return Time.passed - start
    }
}

/// A list that follows commits.
@MainActor private protocol FollowingList {
    var terminal: PseudoTerminal { get }
    /// Wakes the loop after each commit, or calls `arrived` as that does, as long as the returned object lives.
    func observe(_ writer: Writer, _ loop: EventLoop, _ arrived: @escaping @MainActor () -> Void) -> AnyObject?
    /// Shows the newest state.
    func advance(at time: Double) throws
    func draw(at time: Double) -> Grid
    func nextFrame(after time: Double) -> Double?
}

extension LiveList: FollowingList {
    fileprivate func observe(
        _ writer: Writer, _ loop: EventLoop, _ arrived: @escaping @MainActor () -> Void
    ) -> AnyObject? {
        CommitObserver(database) { _ in arrived() }
    }

    func nextFrame(after time: Double) -> Double? { tables.nextFrame(after: time) }
}

extension HandDrawnList: FollowingList {
    fileprivate func observe(
        _ writer: Writer, _ loop: EventLoop, _ arrived: @escaping @MainActor () -> Void
    ) -> AnyObject? {
        let waker = loop.waker
        writer.whenCommitted = { [self] number in
            newest.store(number, ordering: .releasing)
            waker.wake()
        }
        return nil
    }
}

/// Shows each commit in an event loop, as a program does.
@MainActor private func runLoop(_ list: some FollowingList, until writer: Writer, _ commits: Int) throws -> [Double] {
    try withBlockedSignals {
        let loop = try EventLoop(screen: list.terminal.screen)
        var seconds: [Double] = []
        var failure: (any Error)?
        var mustDraw = false
        var isCommitInFrame = false
        let arrived: @MainActor () -> Void = {
            do { try list.advance(at: loop.now()) } catch { failure = error }
            mustDraw = true
        }
        let observer = list.observe(writer, loop, arrived)
        defer { withExtendedLifetime(observer) {} }
        writer.commitSoon()
        _ = loop.run(
            EventLoop.Handlers(
                onEvent: { _ in },
                onWake: arrived,
                nextFrame: {
                    // The loop calls this again after it has written a frame.
                    if isCommitInFrame {
                        isCommitInFrame = false
                        seconds.append(Time.passed - writer.start)
                        if failure != nil || seconds.count == commits { loop.stop() } else { writer.commitSoon() }
                    }
                    return mustDraw ? 0 : list.nextFrame(after: loop.now())
                },
                draw: { now in
                    isCommitInFrame = mustDraw
                    mustDraw = false
                    return list.draw(at: now)
                }))
        if let failure { throw failure }
        return seconds
    }
}

/// Commits on its own connection and thread.
private final class Writer: @unchecked Sendable {
    // @unchecked: `number` is accessed on `queue` only, `start` is read after the commit was seen, and `whenCommitted` is set before the
    // first commit.

    private(set) var start = 0.0
    /// Called on the writer's thread with the number of each commit.
    var whenCommitted: @Sendable (Int) -> Void = { _ in }
    private let write: @Sendable (_ key: String, Data) throws -> Void
    private let rows: [(key: String, object: Data)]
    private var number = 0
    /// Seconds before each commit.
    private let pause: Double
    private let queue = DispatchQueue(label: "writer", qos: .userInteractive)

    init(_ rows: [(String, Data)], pause: Double, _ write: @escaping @Sendable (_ key: String, Data) throws -> Void) {
        self.rows = rows
        self.pause = pause
        self.write = write
    }

    /// Changes the last byte of a row on the screen, which keeps its place and looks different.
    func commitSoon() {
        queue.asyncAfter(deadline: .now() + pause) { [self] in
            do {
                try change()
            } catch {
                preconditionFailure("A commit failed: \(error)")
            }
            whenCommitted(number)
        }
    }

    /// Makes the same commit at once, which nothing shows.
    /// - Returns: its seconds.
    func commit() throws -> Double {
        try queue.sync {
            if pause > 0 { usleep(UInt32(pause * 1e6)) }
            try change()
            return Time.passed - start
        }
    }

    private func change() throws {
        number += 1
        let row = rows[number % rows.count]
        var object = row.object
        object[object.endIndex - 1] = UInt8(truncatingIfNeeded: number)
        start = Time.passed
        try write(row.key, object)
    }
}
