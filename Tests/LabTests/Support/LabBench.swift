import LiveTable

@testable import AnimationLab

/// A lab without a terminal: keys by their names, a manual clock, the screen as lines of text.
@MainActor final class LabBench {
    let lab: LabScreen
    private let clock: Clock
    private(set) var hasQuit = false
    private(set) var copied = ""
    private var isMouseOn = true

    /// Fewer frames are drawn than on a user's screen.
    private static let frame = 0.05

    private final class Clock {
        var now = 100.0
    }

    fileprivate init(_ entries: [LabEntry], opening: Int?, width: Int, height: Int, in folder: ScratchFolder) throws {
        let clock = Clock()
        self.clock = clock
        let shelf = LabShelf(folder: folder, seed: 1)
        lab = try LabScreen(
            LabOptions(seed: 1, motion: .full, unicode: .safe), keys: .standard, entries: entries,
            opening: opening ?? shelf.firstOfInterest(entries), shelf: shelf, depth: .monochrome, size: (width, height),
            now: { clock.now })
    }

    /// Presses keys by their names, with a blank between.
    func press(_ names: String) {
        for name in names.split(separator: " ") {
            guard let stroke = KeyStroke(named: String(name)) else { preconditionFailure("no key \(name)") }
            pass(.input(.key(stroke.key, stroke.modifiers)), to: lab)
        }
    }

    func type(_ text: String) {
        for character in text { pass(.input(.key(.character(character))), to: lab) }
    }

    /// Lets time pass, drawing each frame that is due.
    func wait(_ seconds: Double) {
        let end = clock.now + seconds
        draw()
        while let next = lab.nextFrame, next <= end {
            clock.now = max(next, clock.now + Self.frame)
            draw()
        }
        clock.now = end
        draw()
    }

    @discardableResult
    func draw() -> Grid { frame(of: lab, at: clock.now) }

    var screen: String { draw().lines.joined(separator: "\n") }
    var hint: String { draw().lines.last ?? "" }
    /// Returns the text beside the table (1), or between it and what is beside it (-1).
    func list(at place: Int) -> String {
        let (grid, table, beside) = (draw(), lab.state.tableArea, lab.state.besideArea)
        let columns = place > 0 ? beside.x..<beside.maxX : table.maxX..<beside.x
        return (beside.y..<beside.maxY).map { y in
            String(columns.compactMap { grid[$0, y].character })
        }.joined(separator: " ")
    }

    /// The content of the list, as `A: k1 k2 | B: k4`.
    var list: String { lab.session.shown }
}

extension LabBench: ScreenHost {
    func quit() { hasQuit = true }

    func toggleMouse() -> Bool {
        isMouseOn.toggle()
        return isMouseOn
    }

    func copy(_ text: String) { copied = text }

    /// Opens an entry of the gallery as a user does, with its introduction.
    func choose(_ index: Int) throws {
        lab.state.entries.all = LabEntry.examples
        try lab.choose(index)
    }
}

/// Runs the body with a lab that begins with some entries.
/// - Parameter opening: the entry that is open; nil for the first of interest, for which all are played.
@MainActor func withLab(
    _ entries: [LabEntry] = [.playground], opening: Int? = nil, width: Int = 100, height: Int = 30,
    _ body: (LabBench) throws -> Void
) throws {
    let folder = try ScratchFolder()
    let result = Result {
        let bench = try LabBench(entries, opening: opening, width: width, height: height, in: folder)
        try body(bench)
        try bench.lab.stage.close()
    }
    try folder.remove()
    try result.get()
}

extension LabEntry {
    static let small = LabEntry(name: "small", scenario: .small)
}
