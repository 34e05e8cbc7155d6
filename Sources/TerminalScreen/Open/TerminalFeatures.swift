/// What a terminal is known to do beyond drawing. What is not known is off.
///
/// Terminals do not report these features, so they follow from the terminal's name: from the environment, or from its
/// answer to XTVERSION, which also arrives over ssh.
struct TerminalFeatures: Hashable, Sendable {
    /// How a notification is sent.
    enum Notification: Hashable, Sendable {
        /// OSC 9: one text.
        case text
        /// OSC 777: a title and a text.
        case titleAndText
    }

    /// OSC 8: text that opens an address.
    var hasLinks = false
    /// A stack of titles, so that the one before can be restored.
    var hasTitleStack = false
    var notification: Notification?
    /// Images by kitty's protocol.
    var hasKittyImages = false
    /// Sixel images, which the terminal itself says.
    var hasSixel = false
    /// A joiner of emoji is lost where a read of the terminal ends behind it (tmux 3.3a, which measures them right otherwise).
    var losesJoiners = false

    init() {}

    /// Creates the features of the terminal that an environment names.
    init(environment: [String: String]) {
        self.init()
        let type = environment["TERM"] ?? ""
        // The variables below describe the terminal around the multiplexer.
        if environment["STY"] != nil || type.hasPrefix("screen") && environment["TMUX"] == nil { return }
        if environment["TMUX"] != nil || type.hasPrefix("tmux") {
            let isNamed = environment["TERM_PROGRAM"] == "tmux"
            self = TerminalFeatures(version: "tmux " + (isNamed ? environment["TERM_PROGRAM_VERSION"] ?? "" : ""))
            return
        }
        let program = [environment["TERM_PROGRAM"], environment["LC_TERMINAL"]].compactMap(\.self).first ?? ""
        for name in [program, type.hasPrefix("xterm-") ? String(type.dropFirst(6)) : type] {
            formUnion(TerminalFeatures(version: name))
        }
        if environment["KITTY_WINDOW_ID"] != nil { formUnion(TerminalFeatures(version: "kitty")) }
        if environment["WT_SESSION"] != nil { hasLinks = true }
        if let version = environment["VTE_VERSION"] { formUnion(TerminalFeatures(version: "VTE(\(version))")) }
    }

    /// Creates the features of a terminal by its name and version, for example `tmux 3.4` or `kitty(0.26.5)`.
    init(version: String) {
        let name = version.lowercased()
        let numbers = name.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        let major = numbers.first ?? 0
        let number = major * 100 + (numbers.dropFirst().first ?? 0)
        switch Self.known.first(where: name.hasPrefix) {
        case "kitty", "iterm": self.init(links: true, titles: true, .text)
        case "foot": self.init(links: true, titles: true, .titleAndText)
        case "wezterm", "ghostty": self.init(links: true, titles: false, .titleAndText)
        case "alacritty": self.init(links: true, titles: true, nil)
        case "rxvt-unicode": self.init(links: false, titles: false, .titleAndText)
        case "vscode", "contour": self.init(links: true, titles: false, nil)
        case "xterm(": self.init(links: false, titles: true, nil)
        // Its number has no point: 0.50 has links, 0.54 the stack.
        case "vte(": self.init(links: major >= 5000, titles: major >= 5400, nil)
        case "tmux ": self.init(links: number >= 304, titles: number >= 300, nil)
        default: self.init()
        }
        hasKittyImages = ["kitty", "ghostty", "wezterm"].contains(where: name.hasPrefix)
        losesJoiners = name.hasPrefix("tmux ") && number < 305
    }

    private static let known = [
        "kitty", "iterm", "foot", "wezterm", "ghostty", "alacritty", "rxvt-unicode", "vscode", "contour", "xterm(",
        "vte(",
        "tmux ",
    ]

    private init(links: Bool, titles: Bool, _ notification: Notification?) {
        hasLinks = links
        hasTitleStack = titles
        self.notification = notification
    }

    /// Adds the features of another source.
    mutating func formUnion(_ other: TerminalFeatures) {
        hasLinks = hasLinks || other.hasLinks
        hasTitleStack = hasTitleStack || other.hasTitleStack
        notification = notification ?? other.notification
        hasKittyImages = hasKittyImages || other.hasKittyImages
        hasSixel = hasSixel || other.hasSixel
        losesJoiners = losesJoiners || other.losesJoiners
    }
}
