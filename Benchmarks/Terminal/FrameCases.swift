import Foundation
import TableModel

/// A frame after one row of many changed: model, drawing, output.
let oneRowFrameCase = Case(
    name: "frame_one_row", n: 10_000, k: 1, unit: "ms", targets: [.value(atMost: 0.1, "ms")]
) { Measurement(value: try measureOneRowFrames().milliseconds) }

/// The average bytes of such a frame and of the one in which the row's tint ends.
let oneRowBytesCase = Case(
    name: "frame_one_row_bytes", n: 10_000, k: 1, unit: "bytes", targets: [.value(atMost: 300, "bytes")]
) { Measurement(value: try measureOneRowFrames().bytes) }

/// A frame in which every cell changes.
let fullFrameCase = Case(
    name: "frame_full", n: 10_000, k: PseudoTerminal.height, unit: "ms", targets: [.value(atMost: 2, "ms")]
) {
    try withTerminal { terminal in
        var pane = Pane(terminal, rows: 10_000)
        let times = (0..<300).map { _ in
            pane.rows.edition += 1
            return used {
                pane.table.reload(source: pane.rows, at: pane.time)
                pane.show()
            }
        }
        return Measurement(value: times.median * 1e3)
    }
}

/// Scrolling by a page in a list of ten million rows: the layout and the cells of the new screen. Writing them is
/// `frame_full`, whatever the list.
let scrollCase = Case(
    name: "scroll_10m", n: 10_000_000, k: PseudoTerminal.height, unit: "ms", targets: [.value(atMost: 0.3, "ms")]
) { Measurement(value: try measureScrolling { $0.draw() }) }

/// The same with the output.
let shownScrollCase = Case(name: "scroll_10m_shown", n: 10_000_000, k: PseudoTerminal.height, unit: "ms") {
    Measurement(value: try measureScrolling { $0.show() })
}

/// Returns the milliseconds of scrolling by a page in the middle of the list.
@MainActor private func measureScrolling(_ finish: (Pane) -> Void) throws -> Double {
    try withTerminal { terminal in
        var pane = Pane(terminal, rows: 10_000_000, motion: .none)
        pane.table.perform(.selectNumber(5_000_000), source: pane.rows, at: pane.time)
        let times = (0..<500).map { _ in
            used {
                pane.table.perform(.pageDown(), source: pane.rows, at: pane.time)
                finish(pane)
            }
        }
        return times.median * 1e3
    }
}

@MainActor private func measureOneRowFrames() throws -> (milliseconds: Double, bytes: Double) {
    try withTerminal { terminal in
        var pane = Pane(terminal, rows: 10_000)
        let before = terminal.bytes
        let times = (0..<500).map { number in
            let seconds = used {
                pane.edit(number * 7 % PseudoTerminal.height)
                pane.show()
            }
            pane.settle()
            return seconds
        }
        return (times.median * 1e3, Double(terminal.bytes - before) / Double(2 * times.count))
    }
}
