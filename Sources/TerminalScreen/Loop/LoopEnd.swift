import Foundation

/// Why an event loop has ended.
public enum LoopEnd: Hashable, Sendable {
    /// `stop` was called.
    case stopped
    /// The process was told to end by this signal; SIGHUP also means that the terminal disappeared.
    case signal(Int32)

    /// The exit code for the process: 0, or 128 plus the signal's number, so 130 for an interrupt.
    public var exitCode: Int32 {
        switch self {
        case .stopped: 0
        case .signal(let number): 128 + number
        }
    }
}
