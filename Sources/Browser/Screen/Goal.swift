import FileReading
import ScreenPrograms

/// What to select in a list that is being loaded, or whose rows are still being counted.
struct Goal: Hashable, Sendable {
    enum Target: Hashable, Sendable {
        case row(Int64)
        /// The row with a key, or the first one after it.
        case key(String)
        /// The target of a command.
        case command(TableCommand)
    }

    var subject: ListSubject
    var target: Target
}
