import CNcurses
import Foundation
import TerminalCells

extension EventLoop {
    /// Waits for the first event and handles all events pending by then, of much input a portion. More is read when that is delivered.
    func waitAndHandle(_ handlers: Handlers) {
        let hasInput = !undelivered.isEmpty
        // poll ignores a negative descriptor.
        var sources = [
            isLent || hasInput ? -1 : screen.device.input, signals.descriptor, waker.descriptor, mainQueue.descriptor,
        ]
        .map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let frame = mustDraw || hasInput ? now() : handlers.nextFrame()
        let deadline = [frame, parser.deadline].compactMap(\.self).min()
        sign?.show(
            hasInput ? .handling : parser.deadline != nil ? .partial : deadline != nil || isLent ? .waiting : .asleep)
        let start = Self.monotonicSeconds()
        let result = yap_poll(&sources, Int32(sources.count), deadline.map { max(0, $0 - now()) } ?? -1)
        // What is there at once may have been there since the last look.
        let away = Self.monotonicSeconds() - start < Self.instant ? start - lastLook : 0
        let isReady = sources.map { result > 0 && $0.revents != 0 }

        if isReady[1] { handleSignals(handlers) }
        if isReady[2] {
            waker.clear()
            redraw()
            handlers.onWake()
        }
        if isReady[3] { mainQueue.drain() }
        if isReady[0] {
            readInput(handlers, away: away)
        } else if !hasInput {
            lastLook = Self.monotonicSeconds()
            undelivered += parser.expire(at: now())
        }
        deliver(to: handlers)
    }

    /// Reads all pending input, so that a held key never outruns the screen.
    private func readInput(_ handlers: Handlers, away: Double) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.readSize)
        for _ in 0..<Self.readsAtOnce {
            let count = read(screen.device.input, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 {
                end = end ?? .signal(SIGHUP)
                break
            }
            sign?.didRead(count)
            bytes += buffer[..<count]
            if !hasMoreInput { break }
        }
        lastLook = Self.monotonicSeconds()
        let events = bursts.feed(bytes, to: &parser, at: now(), away: away)
        takeAnswers(handlers)
        undelivered += events.coalesced
    }

    /// The number of sixel images among a terminal's abilities.
    private static let sixel = 4
    private static let readSize = 4096
    /// A wait that is shorter has found something that was there before.
    private static let instant = 0.001
    /// The most full buffers read before a frame is drawn, even during a paste.
    private static let readsAtOnce = 16

    private var hasMoreInput: Bool {
        var source = pollfd(fd: screen.device.input, events: Int16(POLLIN), revents: 0)
        return yap_poll(&source, 1, 0) > 0
    }

    /// Reads what the terminal was asked, before the shell does.
    func awaitAnswers() {
        guard let deadline = screen.question?.deadline(answerPatience) else { return }
        var buffer = [UInt8](repeating: 0, count: Self.readSize)
        while screen.question != nil, case let left = ContinuousClock.now.duration(to: deadline), left > .zero {
            var source = pollfd(fd: screen.device.input, events: Int16(POLLIN), revents: 0)
            guard yap_poll(&source, 1, left / .seconds(1)) != 0 else { break }
            let count = read(screen.device.input, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            undelivered += parser.feed(buffer[..<count], at: now())
            noteAnswers()
        }
        screen.question = nil
    }

    private func noteAnswers() {
        guard let question = screen.question else { return }
        let isAnswered =
            question.ofAbilities ? !parser.abilities.isEmpty : parser.modeReports[Mode.synchronizedUpdate] != nil
        if isAnswered { screen.question = nil }
    }

    private func takeAnswers(_ handlers: Handlers) {
        noteAnswers()
        // 1 and 2: supported, now on or off. 3: always on. 0 and 4: unusable.
        if let answer = parser.modeReports[Mode.synchronizedUpdate] {
            screen.synchronizesUpdates = (1...3).contains(answer)
        }
        if parser.abilities.contains(Self.sixel) { screen.features.hasSixel = true }
        if let version = parser.version {
            parser.version = nil
            screen.learn(TerminalFeatures(version: version))
            redraw()
        }
        if parser.columns.count == WholePictures.sampleCount, screen.learn(WholePictures(columns: parser.columns)) {
            redraw()
        }
        if let background = parser.background, background != screen.background {
            screen.background = background
            redraw()
            handlers.onBackground(background)
        }
    }

    /// The most events that are delivered before signals and a frame have their turn.
    private static let eventsAtOnce = 256
    /// The seconds after which they have it, if events take long.
    private static let secondsAtOnce = 0.05

    /// Delivers a portion of what was read. The rest is kept for the next portion, or for the next `run` if the loop has ended.
    func deliver(to handlers: Handlers) {
        guard end == nil, !undelivered.isEmpty else { return }
        removeImage()
        let start = Self.monotonicSeconds()
        for _ in 0..<Self.eventsAtOnce {
            guard let event = undelivered.popFirst() else {
                // A slice keeps the memory of what was in front.
                undelivered = []
                return
            }
            if event == .key(.character("z"), .control) {
                pause(handlers, group: true)
            } else {
                redraw()
                handlers.onEvent(event)
            }
            guard end == nil, Self.monotonicSeconds() - start < Self.secondsAtOnce else { return }
        }
    }
}
