import FileReading
import LiveTable

@testable import Browser

/// The screen of `yap diff` without a terminal.
@MainActor final class DiffScene {
    let screen: DiffScreen
    private let clock: Clock
    private(set) var copied: String?
    private(set) var hasQuit = false

    @MainActor private final class Clock { var time = 100.0 }

    init(
        _ first: String, _ second: String, width: Int = 100, height: Int = 24, unicode: UnicodeLevel = .safe,
        depth: ColorDepth = .palette, background: any Background = Immediately()
    ) throws {
        let clock = Clock()
        self.clock = clock
        screen = DiffScreen(
            DiffOptions(names: (first, second), motion: .full, unicode: unicode),
            ChangeReader(try BrowsedFile(path: first).snapshot, try BrowsedFile(path: second).snapshot),
            keys: .standard, theme: Theme(depth: depth, unicode: unicode), size: (width, height),
            background: background, now: { MainActor.assumeIsolated { clock.time } })
        screen.start()
        wait()
    }

    func press(_ keys: Key...) {
        for key in keys { pass(.input(.key(key)), to: screen) }
        wait()
    }

    /// Each character is a key.
    func type(_ text: String) {
        for character in text { pass(.input(.key(.character(character))), to: screen) }
        wait()
    }

    func resize(_ width: Int, _ height: Int) {
        pass(.input(.resize(width: width, height: height)), to: screen)
        wait()
    }

    func click(x: Int, y: Int) {
        pass(.input(.mouse(MouseEvent(.press(button: 1), x: x, y: y))), to: screen)
        wait()
    }

    /// Lets all animations end.
    func wait(_ seconds: Double = 2) { clock.time += seconds }

    var grid: Grid { frame(of: screen, at: clock.time) }
    /// The lines below the title line, which contains the paths.
    var lines: [String] { Array(grid.lines.dropFirst()) }
    var hint: String { grid.lines.last ?? "" }
    var text: String { grid.lines.joined(separator: "\n") }

    /// The selected change.
    var selected: FileChange? { screen.selectedIndex.map { screen.store[$0] } }
}

extension DiffScene: ScreenHost {
    func quit() { hasQuit = true }
    func toggleMouse() -> Bool { true }
    func copy(_ text: String) throws { copied = text }
}
