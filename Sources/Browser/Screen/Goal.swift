import FileReading
import LiveTable

/// What is to be selected in a list that is on its way, or whose rows are still being counted.
struct Goal: Hashable, Sendable {
    enum Target: Hashable, Sendable {
        case row(Int64)
        /// The row with a key, or the first one behind it.
        case key(String)
        /// Where a command leads.
        case command(TableCommand)
    }

    var subject: ListSubject
    var target: Target
}
