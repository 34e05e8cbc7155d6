import Foundation

/// What to do on the stage, one step in a line:
///
/// ```text
/// size 80 24               columns and lines; first, if not 80 by 24
/// run yap chat             the program, by the shell; needed once, before the steps
/// wait Bob                 until this text is on the screen
/// type Hello               keys, one after the other
/// keys Enter C-r           keys by tmux's names
/// pause 1.5                seconds
/// still                    keeps this screen as the picture, instead of the last one
/// # a comment
/// ```
struct CastScript {
    enum Step: Hashable {
        case wait(String)
        case type(String)
        case keys([String])
        case pause(Double)
        case still
    }

    private(set) var size = (width: 80, height: 24)
    private(set) var command = ""
    private(set) var steps: [Step] = []

    init(_ text: String) throws(CastError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(separator: " ", maxSplits: 1)
            guard let verb = words.first, !verb.hasPrefix("#") else { continue }
            let rest = words.count > 1 ? String(words[1]) : ""
            guard read(String(verb), rest) else {
                throw CastError("Line \(index + 1) of the script is no step: \(line)")
            }
        }
        if command.isEmpty { throw CastError("The script has no line 'run COMMAND'.") }
    }

    private mutating func read(_ verb: String, _ rest: String) -> Bool {
        switch verb {
        case "size":
            let numbers = rest.split(separator: " ").compactMap { Int($0) }.filter { (1...500).contains($0) }
            guard numbers.count == 2 else { return false }
            size = (numbers[0], numbers[1])
        case "run": command = rest
        case "wait": steps.append(.wait(rest))
        case "type": steps.append(.type(rest))
        case "keys": steps.append(.keys(rest.split(separator: " ").map(String.init)))
        case "pause":
            guard let seconds = Double(rest), (0...600).contains(seconds) else { return false }
            steps.append(.pause(seconds))
        case "still": steps.append(.still)
        default: return false
        }
        return verb == "still" || !rest.isEmpty
    }
}

/// What went wrong, in a sentence.
struct CastError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
