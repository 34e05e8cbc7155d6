import Foundation

/// Shows what a check examines.
struct CheckProgress {
    /// The check of a smaller file is over before the line can be read.
    private static let smallestFile = 20 << 20

    private let line: StatusLine?
    private let size: Int

    init(file: URL) {
        size = (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
        line = size >= Self.smallestFile ? StatusLine() : nil
    }

    func show(_ step: String) {
        // Control characters in a view's name must not reach the terminal.
        let plain = String(step.map { $0.isNewline || $0.asciiValue.map { $0 < 32 || $0 == 127 } == true ? "?" : $0 })
        line?.show("Checking \(size >> 20) MB: \(plain.prefix(60)) …")
    }

    func clear() { line?.clear() }
}
