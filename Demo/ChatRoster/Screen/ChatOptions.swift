import Foundation
import LiveTable

/// Options of the chat.
public struct ChatOptions: Sendable {
    /// The behaviour of simulated buddies.
    public enum ScriptName: String, CaseIterable, Sendable {
        case demo
        case none
    }

    public var url: URL
    /// With the same seed the buddies do the same things.
    public var seed: UInt64
    public var script: ScriptName
    public var motion: MotionLevel
    public var unicode: UnicodeLevel
    /// The user's own keys.
    public var keys: KeyConfig

    public init(
        url: URL, seed: UInt64, script: ScriptName, motion: MotionLevel, unicode: UnicodeLevel, keys: KeyConfig = .none
    ) {
        self.url = url
        self.seed = seed
        self.script = script
        self.motion = motion
        self.unicode = unicode
        self.keys = keys
    }

    /// `chat.sqlite` in the user's data folder: `$XDG_DATA_HOME/yap`, or else `~/.local/share/yap`.
    public static var defaultURL: URL {
        let environment = ProcessInfo.processInfo.environment
        // The XDG rules require that a relative path is ignored.
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
        let folder = data ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
        return folder.appending(path: "yap/chat.sqlite")
    }
}
