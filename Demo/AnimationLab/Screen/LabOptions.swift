import Foundation
import LiveTable

/// Options of the lab.
public struct LabOptions: Sendable {
    /// What is shown first.
    public enum Opening: Hashable, Sendable {
        /// A few rows to play with.
        case playground
        /// The scenarios of a file.
        case file(String)
        /// An entry of the gallery.
        case gallery(String)
    }

    public var opening: Opening
    /// A database that keeps its rows; nil for one in memory.
    public var database: URL?
    /// The seed of random edits and storms.
    public var seed: UInt64
    public var motion: MotionLevel
    public var unicode: UnicodeLevel
    /// The user's own keys.
    public var keys: KeyConfig

    public init(
        opening: Opening = .playground, database: URL? = nil, seed: UInt64, motion: MotionLevel, unicode: UnicodeLevel,
        keys: KeyConfig = .none
    ) {
        self.opening = opening
        self.database = database
        self.seed = seed
        self.motion = motion
        self.unicode = unicode
        self.keys = keys
    }
}
