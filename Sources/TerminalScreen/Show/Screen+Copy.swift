import Foundation

extension Screen {
    /// The most bytes that can be copied: terminals accept sequences of 100,000 bytes, and Base64 takes four for three.
    public static let copyLimit = 74_994

    /// Puts text on the clipboard of the terminal, also through tmux, screen and ssh. The terminal does not report
    /// whether it did so.
    ///
    /// Throws `TerminalError` with code `tooLong` if the text has more than `copyLimit` bytes.
    ///
    /// - Throws: ``TerminalError`` with code `tooLong` if the text has more than ``copyLimit`` bytes.
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
