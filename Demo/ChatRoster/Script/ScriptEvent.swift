/// Something that a person of a script does.
enum ScriptEvent: Hashable, Sendable {
    case comes(String)
    case goesAway(String, status: String)
    case leaves(String)
    case types(String, in: Conversation)
    case says(String, in: Conversation, String)
    /// Takes back what the person said last there.
    case takesBack(String, in: Conversation)
    /// Reacts to what another one said last there.
    case reacts(String, in: Conversation, String)
}

/// What people do and when. Time is an argument, in seconds of any monotonic clock.
protocol Script: Sendable {
    /// Who takes part.
    var people: [String] { get }
    /// When the next event happens; nil at the end.
    var nextTime: Double? { get }
    /// Removes and returns the events due by `now`, in order.
    mutating func due(by now: Double) -> [ScriptEvent]
    /// A message of another person has arrived.
    mutating func hear(_ message: Message, at now: Double)
}
