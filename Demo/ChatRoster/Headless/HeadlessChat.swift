import Foundation
import LiveTable

/// Runs the chat without a screen for some seconds: it writes to its conversation, reads what comes, gives signs of life and
/// plays its script, as one with a screen does.
///
/// - Parameters:
///   - rate: the messages that it writes in a second; 0 for none. Where they cannot be stored as fast, it writes as many as can be:
///     at most 256 are sent and not stored, because their commits have not ended or have failed.
///   - print: gets a line for each own message as soon as it is in the file, `stored ID`, and every ten seconds and at the
///     end a line of figures as JSON. If it throws, the chat ends.
/// - Throws: as ``runChat(_:)``, the error of `print`, that of reading what came, and one with the reasons if messages were not stored.
@MainActor public func runHeadlessChat(
    _ options: ChatOptions, seconds: Double, rate: Double, print: @escaping (String) throws -> Void
) throws {
    try options.checkScript()
    // What it prints as stored, others can read.
    let chat = try openChat(options, isConfirmed: true)
    let now = EventLoop.monotonicSeconds
    let screen = try ChatScreen(
        chat: chat, options: options, keys: .standard, theme: Theme(), size: (80, 24), now: now)
    let figures = try Figures(screen)
    let host = NoTerminal()
    /// The first error of printing or of counting, which ends the run.
    var failure: (any Error)?
    func printLine(_ line: String) {
        guard failure == nil else { return }
        do { try print(line) } catch { failure = error }
    }
    screen.onStored = { id in
        figures.stored += 1
        printLine("stored \(id)")
    }
    let observer = CommitObserver(chat.database) { _ in
        screen.followCommits()
        do { try figures.count(screen) } catch { failure = error }
    }
    let start = now()
    var (nextMessage, nextFigures, number) = (start, start + 10, 0)
    var mayWrite: Bool {
        // Writing takes time too, so the end is looked at before each message.
        rate > 0 && nextMessage <= now() && now() < start + seconds
            && screen.state.composer.outbox.sendings.count < maxUnstored
    }
    let timer = Timer(timeInterval: 0.02, repeats: true) { _ in }
    RunLoop.main.add(timer, forMode: .default)
    var isLost: Bool { chat.loss.withLock { $0 } != nil }
    while now() < start + seconds, !host.hasQuit, failure == nil, !isLost {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
        _ = host.frame(of: screen, at: now())
        while mayWrite {
            nextMessage += 1 / rate
            number += 1
            screen.state.composer.field.text = "\(chat.me) \(number)"
            screen.send()
        }
        // What was not written in time is not made up for.
        nextMessage = max(nextMessage, now() - 0.5)
        // The last line comes at the end.
        if now() >= nextFigures, nextFigures < start + seconds {
            nextFigures += 10
            printLine(figures.line(after: now() - start))
        }
    }
    while screen.state.composer.outbox.isSending {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
    }
    timer.invalidate()
    observer.stop()
    screen.leave()
    try chat.close()
    printLine(figures.line(after: now() - start))
    if let failure { throw failure }
    let reasons = screen.state.composer.outbox.sendings.compactMap(\.failure)
    guard reasons.isEmpty else { throw NotStored(reasons: reasons) }
    if let loss = chat.loss.withLock({ $0 }) { throw loss }
}

/// The messages of a chat without a screen that are sent and not stored, at a time.
private let maxUnstored = 256

/// That messages of a chat without a screen were not stored.
private struct NotStored: Error, CustomStringConvertible {
    let reasons: [String]

    var description: String {
        let count = reasons.count == 1 ? "1 message was" : "\(reasons.count) messages were"
        let different = reasons.reduce(into: [String]()) { if !$0.contains($1), $0.count < 3 { $0.append($1) } }
        return "\(count) not stored: \(different.joined(separator: "; "))"
    }
}

/// Does what a terminal would do for a screen: nothing.
@MainActor private final class NoTerminal: ScreenHost {
    private(set) var hasQuit = false

    func quit() { hasQuit = true }
    func toggleMouse() -> Bool { false }
    func copy(_ text: String) throws {}
}

/// What a headless chat has measured.
@MainActor private final class Figures {
    var stored = 0
    private var received = 0
    private var seen: Int
    /// Milliseconds from the sending of others' messages to here, the latest ones.
    private var delays: [Double] = []

    init(_ screen: ChatScreen) throws { seen = try screen.messages(from: .max).count }

    /// Takes note of the messages that have come.
    /// - Throws: if they cannot be read; the next call counts them.
    func count(_ screen: ChatScreen) throws {
        let (new, count) = try screen.messages(from: seen)
        for message in new where message.author != screen.chat.me {
            received += 1
            delays.append(max(0, screen.chat.now.timeIntervalSince(message.time) * 1000))
        }
        seen = count
        if delays.count > 2000 { delays.removeFirst(1000) }
    }

    func line(after seconds: Double) -> String {
        let sorted = delays.sorted()
        func quantile(_ part: Double) -> Double { sorted.isEmpty ? 0 : sorted[Int(part * Double(sorted.count - 1))] }
        let fields = [
            ("seconds", seconds), ("stored", Double(stored)), ("received", Double(received)),
            ("delay_p50_ms", quantile(0.5)), ("delay_p95_ms", quantile(0.95)), ("memory_mb", Self.memory),
        ]
        return "{" + fields.map { "\"\($0)\": \(($1 * 10).rounded() / 10)" }.joined(separator: ", ") + "}"
    }

    /// The memory of the process, in megabytes.
    private static var memory: Double {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }
}

extension ChatScreen {
    /// The messages of the conversation from a place on, and the number of all.
    fileprivate func messages(from index: Int) throws -> (new: [Message], count: Int) {
        try tables.connection.read { transaction in
            let list = try transaction[Chat.conversations]
            let id = state.composer.conversation
            let count = list.count(in: id)
            return (try list.values(in: id, min(index, count)..<count), count)
        }
    }
}
