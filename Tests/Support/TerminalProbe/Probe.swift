import Dispatch
import Foundation
import TerminalCells
import TerminalScreen

struct ProbeFailure: Error {}

@MainActor final class Probe {
    let screen: Screen
    private let loop: EventLoop
    private let log: FileHandle
    private let scene: Scene
    /// Whether the cursor is shown after the last line of the log.
    private var hasCursor = false
    /// How often `n` was pressed.
    private var step = 0
    private var lines: [String] = []
    /// Shown instead of a scene; the key `n` changes it.
    private var list: MovingList?
    private var failure: ProbeFailure?
    /// Whether the last line is a link.
    private var hasLink = false

    init(log: FileHandle, mouse: Bool, scene: Scene, hasList: Bool) throws {
        screen = try Screen(mouse: mouse)
        loop = try EventLoop(screen: screen)
        self.log = log
        self.scene = scene
        if hasList { list = MovingList(size: screen.size, at: loop.now()) }
    }

    func run() throws -> LoopEnd {
        note("ready \(screen.size.width)x\(screen.size.height) \(screen.colors) pid \(getpid())")
        let end = loop.run(
            EventLoop.Handlers(
                onEvent: { self.handle($0) },
                onWake: { self.note("woken") },
                onBackground: { self.note("background \($0)") },
                nextFrame: { self.list?.nextFrame },
                draw: { now in self.draw(now) }))
        if let failure { throw failure }
        return end
    }

    /// Leaves only when the terminal has answered.
    func waitForAnswers() { loop.answerPatience = .seconds(60) }

    /// Waits for work that ends while a frame of the wait is still drawn, so that a key typed meanwhile arrives at the same time. Work that took a
    /// time of its own would have ended before the first frame where the loop has to wait for a processor.
    func waitForWork() throws {
        let isDrawn = DispatchSemaphore(value: 0)
        let work: @Sendable () -> Void = {
            isDrawn.wait()
            usleep(100_000)
        }
        _ = try loop.wait(for: work) { _ in
            self.note("waiting")
            isDrawn.signal()
            usleep(400_000)
            return Grid(width: self.screen.size.width, height: self.screen.size.height)
        }
    }

    private func handle(_ event: InputEvent) {
        note(describe(event))
        if case .key(.character(let character), []) = event { perform(character) }
        if case .resize(let width, let height) = event { list?.resize(width: width, height: height, at: loop.now()) }
    }

    /// Performs the action of a letter.
    private func perform(_ letter: Character) {
        switch letter {
        case "q": loop.stop()
        case "n":
            step += 1
            list?.change(at: loop.now())
        case "c": hasCursor.toggle()
        case "e": exit(3)
        case "E": fail()
        case "T": trap()
        case "S": raise(SIGSEGV)
        case "N": readNowhere()
        case "A": abort()
        case "O": print(overflow(1))
        case "K": usleep(300_000)
        case "k": kill(getpid(), SIGTERM)
        case "w": wakeFromThread()
        case "d": DispatchQueue.global().async { DispatchQueue.main.async { self.note("main queue") } }
        case "t": Task.detached { await self.note("main actor") }
        case "m": screen.isMouseEnabled.toggle()
        case "r": FileHandle.standardError.write(Data("a message in between\n".utf8))
        case "y": copy("häuser")
        case "Y": copy(String(repeating: "x", count: Screen.copyLimit + 1))
        case "B": screen.ringBell()
        case "p": screen.title = "pro\u{07}be"
        case "P": screen.title = nil
        case "o": note("notified: \(screen.notify(title: "al;ice", body: "hi\u{1B}"))")
        case "l": hasLink.toggle()
        case "v": loop.edit("a text", in: TextEditor()) { self.note("edited \($0)") }
        default: break
        }
    }

    /// Ends the program by an uncaught error.
    private func fail() {
        failure = ProbeFailure()
        loop.stop()
    }

    private func trap() {
        let none = [Int](lines.indices.prefix(0))
        note("\(none[lines.count])")
    }

    private func readNowhere() {
        let address = UnsafePointer<Int>(bitPattern: 16)
        note("\(address?.pointee ?? 0)")
    }

    private func overflow(_ depth: Int) -> Int {
        depth == 0 ? 0 : overflow(depth + 1) + depth
    }

    private func wakeFromThread() {
        let waker = loop.waker
        Thread.detachNewThread { waker.wake() }
    }

    private func copy(_ text: String) {
        do { try screen.copy(text) } catch { note("\(error)") }
    }

    private func note(_ line: String) {
        log.write(Data((line + "\n").utf8))
        lines.append(line)
        loop.redraw()
    }

    private func draw(_ now: Double) -> Grid {
        var grid = Grid(width: screen.size.width, height: screen.size.height)
        if list?.draw(into: &grid, at: now) != nil { return grid }
        scene.draw(into: &grid, step: step, log: lines)
        if hasLink {
            grid.draw([Run("a "), Run("site", link: "https://a.b/ä"), Run(" here")], x: 0, y: grid.height - 1)
        }
        if hasCursor { grid.cursor = (lines.last?.count ?? 0, min(lines.count, grid.height) - 1) }
        if scene.isRecorded { log.write(Data((["frame \(step)"] + grid.lines).map { $0 + "\n" }.joined().utf8)) }
        return grid
    }
}
