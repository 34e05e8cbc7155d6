import Foundation
import ListChanges
import TableModel

/// The share of one core that a whole screen of moving rows takes at 60 frames a second: the upper half and the lower
/// half change places repeatedly.
let animationCase = Case(
    name: "animation_cpu", n: 10_000, k: PseudoTerminal.height, unit: "% of a core",
    targets: [.value(atMost: 15, "%")]
) {
    try withTerminal { terminal in
        var pane = Pane(terminal, rows: 10_000)
        let frame = 1.0 / 60
        let seconds = (0..<300).map { number in
            used {
                if number % framesPerChange == 0 { pane.swapHalves() }
                pane.time += frame
                pane.show()
            }
        }
        return Measurement(value: seconds.reduce(0, +) / (Double(seconds.count) * frame) * 100)
    }
}

/// The duration of an animation.
private let framesPerChange = 15

@MainActor extension Pane {
    /// Moves each row of the upper half to the lower one.
    fileprivate mutating func swapHalves() {
        let half = PseudoTerminal.height / 2
        rows.shift = (rows.shift + half) % PseudoTerminal.height
        let changes = (0..<half).map { row in
            let (before, after) = (RowPath(section: 0, row: row), RowPath(section: 0, row: row + half))
            return RowChange(
                type: .move, flags: [], key: rows.key(at: after), before: before, after: after, originalGroup: "",
                finalGroup: "")
        }
        let misfit = table.apply(ChangeSet(rowChanges: changes), source: rows, at: time)
        precondition(misfit == nil, "The change-set fits: \(misfit.map { "\($0)" } ?? "")")
    }
}
