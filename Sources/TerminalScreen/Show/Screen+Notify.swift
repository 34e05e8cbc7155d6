import CNcurses
import TerminalCells

extension Screen {
    /// Rings the terminal's bell.
    public func ringBell() {
        guard isOpen else { fatalError("A closed screen does not ring.") }
        device.write("\u{07}")
    }

    /// Whether ``notify(title:body:)`` shows something: the terminal is known to have notifications.
    public var canNotify: Bool { features.notification != nil }

    /// Whether links can be clicked: the terminal is known to have them.
    public var hasLinks: Bool { features.hasLinks }

    /// Has the terminal notify the user, also while other windows cover it. Control characters of the texts are replaced.
    /// - Parameters:
    ///   - title: the first line.
    ///   - body: the text below it.
    /// - Returns: false if the terminal is not known to have notifications; then nothing is sent.
    @discardableResult
    public func notify(title: String, body: String) -> Bool {
        guard isOpen else { fatalError("A closed screen does not notify.") }
        guard !device.isLeft, let form = features.notification else { return false }
        device.write(sequence.notification(title: title, body: body, as: form))
        return true
    }

    /// The title of the terminal's window; nil for the one that it had before, which also comes back when the screen is
    /// closed or the process is stopped.
    ///
    /// Without effect if the terminal is not known to keep the title before. Control characters are replaced.
    public var title: String? {
        get { wantedTitle }
        set {
            guard isOpen else { fatalError("A closed screen has no title.") }
            guard newValue != wantedTitle else { return }
            wantedTitle = newValue
            showTitle()
        }
    }

    /// Sets the wanted title in the terminal, or restores the one before.
    func showTitle() {
        guard features.hasTitleStack, !device.isLeft else { return }
        guard let wantedTitle else {
            if yap_terminal_set_title_saved(false) { device.write(Self.restoreTitle) }
            return
        }
        let isFirst = !yap_terminal_set_title_saved(true)
        device.write((isFirst ? Self.saveTitle : "") + sequence.title(wantedTitle))
    }

    /// Adds what the terminal's name says about it.
    func learn(_ features: TerminalFeatures) {
        let before = self.features
        self.features.formUnion(features)
        if self.features.hasTitleStack != before.hasTitleStack { showTitle() }
        // Links on the screen are drawn again as links.
        if self.features.hasLinks != before.hasLinks { shown?.links = [] }
    }

    /// Draws such pictures whole from now on. Returns whether that is new.
    func learn(_ measured: WholePictures) -> Bool {
        let whole = features.losesJoiners ? measured.subtracting(.joined) : measured
        guard whole != encoder.whole else { return false }
        encoder.whole = whole
        shown = nil
        return true
    }

    private var sequence: NotificationSequence { NotificationSequence(level: encoder.isUnicode ? .safe : .ascii) }

    private static let saveTitle = "\u{1B}[22;2t"
    private static let restoreTitle = "\u{1B}[23;2t"
}
