import FileReading
import LiveTable

@testable import Browser

/// A browser without a terminal: a test presses its keys, moves its clock and reads its lines.
@MainActor final class BrowserScene {
    let screen: BrowserScreen
    private let clock: Clock
    private(set) var hasQuit = false
    private(set) var copied: String?

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
        screen.quit = { [weak self] in self?.hasQuit = true }
        screen.copy = { [weak self] in self?.copied = $0 }
        screen.start()
        wait()
    }

    func press(_ keys: Key...) {
        for key in keys { screen.handle(.key(key)) }
        wait()
    }

    /// Each character is a key.
    func type(_ text: String) {
        for character in text { screen.handle(.key(.character(character))) }
        wait()
    }

    func click(x: Int, y: Int) {
        screen.handle(.mouse(MouseEvent(.press(button: 1), x: x, y: y)))
        wait()
    }

    /// Lets all animations end.
    func wait(_ seconds: Double = 2) { clock.time += seconds }

    var grid: Grid { screen.draw(clock.time) }
    /// The lines below the title line, which contains the path.
    var lines: [String] { Array(grid.lines.dropFirst()) }
    var title: String { grid.lines[0] }
    var hint: String { grid.lines.last ?? "" }
    var text: String { grid.lines.joined(separator: "\n") }
}
