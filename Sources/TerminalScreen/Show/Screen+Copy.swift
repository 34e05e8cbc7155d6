import Foundation

extension Screen {
    /// What terminals take at most: 100,000 bytes of sequence, of which Base64 uses four for three.
    public static let copyLimit = 74_994

    /// Puts a text on the clipboard of the terminal, also through tmux, screen and ssh. Whether the terminal does it, it
    /// does not say.
    ///
    /// Throws `TerminalError` with code `tooLong` if the text has more than `copyLimit` bytes.
    public func copy(_ text: String) throws(TerminalError) {
        guard isOpen else { fatalError("A closed screen copies nothing.") }
        let count = text.utf8.count
        guard count <= Self.copyLimit else {
            throw TerminalError(
                .tooLong, "Not copied: \(count) bytes are more than the \(Self.copyLimit) that a terminal takes.")
        }
        device.write(ClipboardSequence(text, inside: .current).bytes)
    }
}
