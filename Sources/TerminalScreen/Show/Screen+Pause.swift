import CNcurses

extension Screen {
    /// Takes the terminal back after another program had it. The next `show` writes everything.
    func enterAgain() {
        device.enter(mouse: isMouseEnabled)
        isCursorVisible = false
        forgetContents()
    }
}
