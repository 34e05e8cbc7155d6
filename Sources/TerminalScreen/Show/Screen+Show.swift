import CNcurses
import Foundation
import TerminalCells

extension Screen {
    /// Shows a grid. Writes only the differences from the last one, in one piece, and nothing if there are none.
    ///
    /// A grid of another size is cut, or leaves the rest blank, as happens for a moment after a resize. Costs a
    /// comparison of the cells, plus encoding and writing those that changed.
    public func show(_ grid: Grid) {
        guard isOpen else { fatalError("A closed screen shows nothing.") }
        let isFirst = shown == nil
        let hasChanges = encodeChanges(to: grid)
        let hasSameCursor = shown?.cursor?.x == grid.cursor?.x && shown?.cursor?.y == grid.cursor?.y
        let links = linkBytes(from: shown, to: grid)
        shown = grid
        if hasChanges || isFirst || !hasSameCursor || !links.isEmpty {
            flush(cursor: cursorOnScreen(of: grid), links: links)
        }
    }

    /// Whether the terminal does not show the last grid: none was shown, or it was not written completely.
    var isBehind: Bool { shown == nil }

    /// Makes the next `show` write everything, because another program has written to the terminal.
    public func forgetContents() {
        yap_forget_terminal_contents()
        shown = nil
    }

    /// Adopts the terminal's present size. Returns whether it has changed.
    @discardableResult func fit() -> Bool {
        let now = device.size ?? size
        guard now != size || Int(yap_columns()) != now.width || Int(yap_lines()) != now.height else { return false }
        size = now
        resize_term(Int32(now.height), Int32(now.width))
        // Terminals differ in which old lines they keep.
        forgetContents()
        return true
    }

    /// Has ncurses encode what changed in its window and writes it to the terminal, with the cursor at its place.
    private func flush(cursor: (x: Int, y: Int)?, links: [UInt8]) {
        let window = yap_standard_window()
        leaveok(window, cursor == nil)
        if let cursor { wmove(window, Int32(cursor.y), Int32(cursor.x)) }
        let isHiding = isCursorVisible && cursor == nil
        let isShowing = !isCursorVisible && cursor != nil
        isCursorVisible = cursor != nil
        var frame: [UInt8] = isHiding ? Array(device.modes.hideCursor.utf8) : []
        wnoutrefresh(window)
        doupdate()
        frames.drain(into: &frame)
        encoder.pictures.restore(&frame)
        frame += links
        if isShowing { frame += device.modes.showCursor.utf8 }
        if frame.isEmpty { return }
        if synchronizesUpdates { frame = Self.startOfUpdate + frame + Self.endOfUpdate }
        if !device.write(frame) { forgetContents() }
    }

    private static let startOfUpdate = Array("\u{1B}[?\(Mode.synchronizedUpdate)h".utf8)
    private static let endOfUpdate = Array("\u{1B}[?\(Mode.synchronizedUpdate)l".utf8)

    private func cursorOnScreen(of grid: Grid) -> (x: Int, y: Int)? {
        guard let cursor = grid.cursor, (0..<size.width).contains(cursor.x), (0..<size.height).contains(cursor.y) else {
            return nil
        }
        return cursor
    }
}

extension Screen {
    /// Takes the terminal back after another program had it. The next `show` writes everything.
    func enterAgain() {
        device.enter(mouse: isMouseEnabled)
        isCursorVisible = false
        forgetContents()
        showTitle()
    }
}
