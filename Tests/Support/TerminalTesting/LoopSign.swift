import Foundation

/// What the event loop of a program says of itself: the other side of `LoopSign` in `TerminalScreen`.
public struct LoopSign: Sendable {
    /// For the program's environment.
    public let path: String

    public struct Reading: Hashable, Sendable {
        public var bytesRead = 0
        public var frames = 0
        public var activity = "not started"
    }

    public init() {
        path = FileManager.default.temporaryDirectory.appending(path: "yap-sign-\(UUID().uuidString)").path
    }

    public func remove() { unlink(path) }

    /// What the program says now; a program that has no loop yet has read nothing.
    public var reading: Reading {
        let words = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace)
        guard words.count == 3, let bytes = Int(words[0]), let frames = Int(words[1]) else { return Reading() }
        return Reading(bytesRead: bytes, frames: frames, activity: String(words[2]))
    }

    /// Whether the program has read this many bytes, and knows what the last of them mean: an Esc is not yet one key.
    public func hasRead(_ bytes: Int) -> Bool {
        let reading = reading
        return reading.bytesRead >= bytes && ["waiting", "asleep"].contains(reading.activity)
    }
}
