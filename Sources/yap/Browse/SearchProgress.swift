import FileBrowser
import Foundation

/// One line on standard error that says how far a search is, where somebody waits in front of a terminal.
final class SearchProgress {
    private let isShown = isatty(STDERR_FILENO) == 1
    private var shown = ContinuousClock.now
    private var isThere = false

    func show(_ progress: RowSearch.Progress) {
        guard isShown, ContinuousClock.now - shown > .milliseconds(200) else { return }
        shown = .now
        isThere = true
        write("\r\u{1B}[K\(RowCount(progress.searched)) rows searched, \(RowCount(progress.found)) found …")
    }

    func clear() {
        if isThere { write("\r\u{1B}[K") }
        isThere = false
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Foundation.write(STDERR_FILENO, bytes, bytes.count)
    }
}
