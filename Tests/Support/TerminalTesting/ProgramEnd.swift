/// How a program ended.
public enum ProgramEnd: Hashable, Sendable {
    case exited(Int32)
    /// By a signal.
    case killed(Int32)
}
