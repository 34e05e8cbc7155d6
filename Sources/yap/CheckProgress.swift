import Foundation

/// One line on standard error that says what is looked at, where somebody waits in front of a terminal.
struct CheckProgress {
    /// Below this a check is over before the line can be read.
    private static let smallestFile = 20 << 20

    private let isShown: Bool
    private let size: Int

    init(file: URL) {
        size = (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
        isShown = isatty(STDERR_FILENO) == 1 && size >= Self.smallestFile
    }

    func show(_ step: String) {
        // Control characters in a view's name stay out of the terminal.
        let plain = String(step.map { $0.isNewline || $0.asciiValue.map { $0 < 32 || $0 == 127 } == true ? "?" : $0 })
        if isShown { write("\r\u{1B}[KChecking \(size >> 20) MB: \(plain.prefix(60)) …") }
    }

    func clear() {
        if isShown { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
