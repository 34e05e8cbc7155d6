import FileReading
import LiveTable

@testable import Browser

/// A browser without a terminal: a test presses its keys, moves its clock and reads its lines.
@MainActor final class BrowserScene {
    let screen: BrowserScreen
    private let clock: Clock
    /// The keys that were pressed.
    private(set) var keys = 0
    private(set) var hasQuit = false
    private(set) var copied: String?
    /// The file that another program was given.
    private(set) var opened: (path: String, program: OutsideProgram)?
    /// The image that is shown, and where.
    private(set) var image: (path: String, area: Rect?)?
    /// The error that copying ends with.
    var copyError: (any Error)?

    /// Virtual time.
    @MainActor private final class Clock {
        var time = 100.0
    }

    init(
        _ path: String, width: Int = 100, height: Int = 24, unicode: UnicodeLevel = .safe, depth: ColorDepth = .palette,
        background: any Background = Immediately()
    ) throws {
        let clock = Clock()
        self.clock = clock
        screen = BrowserScreen(
            file: try BrowsedFile(path: path),
            options: BrowserOptions(path: path, motion: .full, unicode: unicode, follows: false), keys: .standard,
            theme: Theme(depth: depth, unicode: unicode), size: (width, height), background: background,
            now: { MainActor.assumeIsolated { clock.time } })
        screen.start()
        wait()
    }

    func press(_ keys: Key...) {
        self.keys += keys.count
        for key in keys { pass(.input(.key(key)), to: screen) }
        wait()
    }

    /// Each character is a key.
    func type(_ text: String) {
        keys += text.count
        for character in text { pass(.input(.key(.character(character))), to: screen) }
        wait()
    }

    func click(x: Int, y: Int) {
        pass(.input(.mouse(MouseEvent(.press(button: 1), x: x, y: y))), to: screen)
        wait()
    }

    /// Lets all animations end.
    func wait(_ seconds: Double = 2) { clock.time += seconds }

    var grid: Grid { frame(of: screen, at: clock.time) }
    /// The lines below the title line, which contains the path.
    var lines: [String] { Array(grid.lines.dropFirst()) }
    var title: String { grid.lines[0] }
    var hint: String { grid.lines.last ?? "" }
    var text: String { grid.lines.joined(separator: "\n") }
}

extension BrowserScene: ScreenHost {
    func quit() { hasQuit = true }

    func toggleMouse() -> Bool { true }

    func showImage(_ path: String, in area: Rect?, done: @escaping (EditorError?) -> Void) {
        image = (path, area)
        done(nil)
    }

    func open(_ path: String, in program: OutsideProgram, done: @escaping (EditorError?) -> Void) {
        opened = (path, program)
        done(nil)
    }

    func copy(_ text: String) throws {
        if let copyError { throw copyError }
        copied = text
    }
}
