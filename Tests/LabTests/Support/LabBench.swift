import LiveTable

@testable import AnimationLab

/// A lab without a terminal: keys by their names, a manual clock, the screen as lines of text.
@MainActor final class LabBench {
    let lab: LabScreen
    private let clock: Clock
    private(set) var hasQuit = false

    /// Fewer frames are drawn than on a user's screen.
    private static let frame = 0.05

    private final class Clock {
        var now = 100.0
    }

    fileprivate init(_ entries: [LabEntry], width: Int, height: Int, in folder: ScratchFolder) throws {
        let clock = Clock()
        self.clock = clock
        let shelf = LabShelf(folder: folder, seed: 1)
        lab = try LabScreen(
            LabOptions(seed: 1, motion: .full, unicode: .safe), keys: .standard, entries: entries,
            opening: shelf.firstOfInterest(entries), shelf: shelf, depth: .monochrome, size: (width, height),
            now: { clock.now })
        lab.quit = { [weak self] in self?.hasQuit = true }
    }

    /// Presses keys by their names, with a blank between.
    func press(_ names: String) {
        for name in names.split(separator: " ") {
            guard let stroke = KeyStroke(named: String(name)) else { preconditionFailure("no key \(name)") }
            lab.handle(.key(stroke.key, stroke.modifiers))
        }
    }

    func type(_ text: String) {
        for character in text { lab.handle(.key(.character(character))) }
    }

    /// Lets time pass, drawing each frame that is due.
    func wait(_ seconds: Double) {
        let end = clock.now + seconds
        draw()
        while let next = lab.nextTime(), next <= end {
            clock.now = max(next, clock.now + Self.frame)
            lab.playOn()
            draw()
        }
        clock.now = end
        lab.playOn()
        draw()
    }

    @discardableResult
    func draw() -> Grid { lab.draw(clock.now) }

    var screen: String { draw().lines.joined(separator: "\n") }
    var hint: String { draw().lines.last ?? "" }
    /// Returns the text beside the table (1), or between it and what is beside it (-1).
    func list(at place: Int) -> String {
        let (grid, table, beside) = (draw(), lab.tableArea, lab.besideArea)
        let columns = place > 0 ? beside.x..<beside.maxX : table.maxX..<beside.x
        return (beside.y..<beside.maxY).map { y in
            String(columns.compactMap { grid[$0, y].character })
        }.joined(separator: " ")
    }

    /// The content of the list, as `A: k1 k2 | B: k4`.
    var list: String { lab.session.shown }
}

/// Runs the body with a lab that begins with some entries.
@MainActor func withLab(
    _ entries: [LabEntry] = [.playground], width: Int = 100, height: Int = 30, _ body: (LabBench) throws -> Void
) throws {
    let folder = try ScratchFolder()
    let result = Result {
        let bench = try LabBench(entries, width: width, height: height, in: folder)
        try body(bench)
        try bench.lab.stage.close()
    }
    try folder.remove()
    try result.get()
}

extension LabEntry {
    static let small = LabEntry(name: "small", scenario: .small)
}
