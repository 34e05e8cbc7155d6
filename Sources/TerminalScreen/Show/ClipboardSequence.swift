import Foundation

/// OSC 52: the bytes that put text on the terminal's clipboard.
struct ClipboardSequence {
    /// A program between this one and the terminal. It forwards only sequences that are wrapped for it.
    enum Multiplexer {
        case none
        case tmux
        case screen

        static var current: Multiplexer {
            let environment = ProcessInfo.processInfo.environment
            let type = environment["TERM"] ?? ""
            if environment["TMUX"] != nil || type.hasPrefix("tmux") { return .tmux }
            return environment["STY"] != nil || type.hasPrefix("screen") ? .screen : .none
        }
    }

    /// The longest string that screen forwards.
    private static let screenLimit = 240

    let bytes: String

    init(_ text: String, inside multiplexer: Multiplexer) { self.init(Array(text.utf8), inside: multiplexer) }

    init(_ content: [UInt8], inside multiplexer: Multiplexer) {
        let sequence = "\u{1B}]52;c;\(Data(content).base64EncodedString())\u{07}"
        switch multiplexer {
        case .none:
            bytes = sequence
        case .tmux:
            // Unwrapped for tmux itself, which has a clipboard, and wrapped for the terminal around it.
            bytes = sequence + "\u{1B}Ptmux;" + sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
        case .screen:
            var rest = sequence[...]
            var parts: [Substring] = []
            while !rest.isEmpty {
                parts.append(rest.prefix(Self.screenLimit))
                rest = rest.dropFirst(Self.screenLimit)
            }
            bytes = parts.map { "\u{1B}P\($0)\u{1B}\\" }.joined()
        }
    }
}
