import CNcurses
import Foundation

/// Reads terminfo's capabilities of a terminal.
enum Terminfo {
    /// Loads the entry of the terminal's type.
    static func load(type: String, output: Int32) throws(TerminalError) {
        let remedy = "Set TERM to what your terminal is, for example xterm-256color."
        guard !type.isEmpty else { throw TerminalError(.unknownType, "TERM is not set. \(remedy)") }
        guard type != "dumb" else {
            throw TerminalError(.tooSimple, "TERM is dumb: this terminal cannot show a screen. \(remedy)")
        }
        var result: Int32 = 0
        guard setupterm(type, output, &result) == OK else {
            throw TerminalError(
                .unknownType,
                result == 0
                    ? "The terminal type '\(type)' is not known on this machine. \(remedy)"
                    : "This machine has no terminfo database. Install the package ncurses-base.")
        }
        guard string("cup") != nil, string("clear") != nil else {
            throw TerminalError(.tooSimple, "A terminal of type '\(type)' cannot show a screen. \(remedy)")
        }
    }

    /// Returns a capability by its short name, without padding; nil if the terminal has none.
    static func string(_ capability: String) -> String? {
        yap_terminfo_string(capability).map { withoutPadding(String(cString: $0)) }
    }

    /// Removes delays like `$<50/>`, which only old hardware needs.
    private static func withoutPadding(_ text: String) -> String {
        text.replacing(/\$<[0-9.]+[*\/]*>/, with: "")
    }
}
