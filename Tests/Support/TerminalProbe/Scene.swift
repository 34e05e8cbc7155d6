import Foundation
import SeededRandom
import TerminalCells

/// The content that the probe draws.
enum Scene {
    /// The last events.
    case log
    /// The lines of a file with any content. Each frame's lines are written to the log.
    case text([String])
    /// A screen full of text in many styles. The key `n` changes one line of it.
    case rows
    /// Random cells, which the key `n` replaces. Each frame's lines are written to the log.
    case random(seed: UInt64)

    init(arguments: [String]) throws {
        let values = arguments.reduce(into: [Substring: Substring]()) { values, argument in
            let parts = argument.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        if let file = values["text"] {
            let bytes = try Data(contentsOf: URL(filePath: String(file)))
            self = .text(String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n"))
        } else if let seed = values["random"].flatMap({ UInt64($0) }) {
            self = .random(seed: seed)
        } else {
            self = arguments.contains("rows") ? .rows : .log
        }
    }

    /// Whether each frame's lines are written to the log.
    var isRecorded: Bool {
        switch self {
        case .log, .rows: false
        case .text, .random: true
        }
    }

    /// Draws a step, which the key `n` advances.
    func draw(into grid: inout Grid, step: Int, log: [String]) {
        switch self {
        case .log:
            for (y, line) in log.suffix(grid.height).enumerated() {
                grid.draw(line, Style(.palette(UInt8(y % 256))), x: 0, y: y)
            }
        case .text(let lines):
            for (y, line) in lines.prefix(grid.height).enumerated() { grid.draw(line, x: 0, y: y) }
        case .rows:
            for y in 0..<grid.height { drawRow(y, step: y == grid.height / 2 ? step : 0, into: &grid) }
        case .random(let seed):
            var random = SplitMix64(seed: seed &+ UInt64(step))
            for _ in 0..<random.below(grid.width * grid.height) { drawSomething(into: &grid, &random) }
        }
    }

    private func drawRow(_ y: Int, step: Int, into grid: inout Grid) {
        let text = "\(y) row \(step) of this screen, with words enough to fill the line of any terminal at hand. "
        let color = Style(.palette(UInt8(16 + (y * 7 + step) % 216)), on: .palette(UInt8(232 + y % 24)))
        grid.draw([Run(text, color), Run(String(repeating: text, count: 4), .plain)], x: 0, y: y)
    }

    private func drawSomething(into grid: inout Grid, _ random: inout SplitMix64) {
        let texts = ["a", "word", " ", "   ", "ä", "你好", "🎈", "e\u{301}", "\u{1B}[2J", "│", "✓", "👨‍👩‍👧", "🇩🇪", "❤️", "한글"]
        let style = Style(
            .palette(UInt8(random.below(256))),
            on: random.below(2) == 0 ? .terminal : .palette(UInt8(random.below(256))),
            Attributes(rawValue: UInt8(random.below(32))))
        let (x, y) = (random.below(grid.width), random.below(grid.height))
        grid.draw(texts[random.below(texts.count)], style, x: x, y: y, level: random.below(2) == 0 ? .full : .safe)
    }
}
