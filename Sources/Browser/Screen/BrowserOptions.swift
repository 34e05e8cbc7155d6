import ScreenPrograms

/// Options of the browser.
package struct BrowserOptions: Sendable {
    package var path: String
    package var motion: MotionLevel
    package var unicode: UnicodeLevel
    /// The user's own keys.
    package var keys: KeyConfig
    /// Whether commits of others are shown from the beginning.
    package var follows: Bool

    package init(
        path: String, motion: MotionLevel, unicode: UnicodeLevel, keys: KeyConfig = .none, follows: Bool = true
    ) {
        self.path = path
        self.motion = motion
        self.unicode = unicode
        self.keys = keys
        self.follows = follows
    }
}
