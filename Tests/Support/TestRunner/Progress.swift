import Foundation

/// Says how far the tests are: in place on a terminal, not at all elsewhere.
struct Progress {
    let tests: Int
    private let isShown = isatty(STDERR_FILENO) == 1

    init(tests: Int) { self.tests = tests }

    func show(_ results: [Result]) {
        let failures = results.count { $0.outcome.isBad }
        write("\(results.count) of \(tests) tests\(failures > 0 ? ", \(failures) failed" : "")")
    }

    func end() { write("") }

    private func write(_ text: String) {
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8)) }
    }
}
