import Foundation

/// Why an event loop has ended.
public enum LoopEnd: Hashable, Sendable {
    /// `stop` was called.
    case stopped
    /// The process was told to end by this signal; SIGHUP also stands for a terminal that went away.
    case signal(Int32)

    /// What the process should exit with: 0, or 128 and the signal's number, so 130 for an interrupt.
    public var exitCode: Int32 {
        switch self {
        case .stopped: 0
        case .signal(let number): 128 + number
        }
    }
}
