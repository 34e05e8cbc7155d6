import CNcurses

extension Screen {
    /// Enters the terminal again after another program used it. The next `show` writes everything.
    func enterAgain() {
        device.enter(mouse: isMouseEnabled)
        isCursorVisible = false
        forgetContents()
    }
}
