import Foundation

/// What is printed at the end of a run.
struct Report {
    let results: [Result]
    /// Of the whole run.
    let seconds: Double

    var hasFailed: Bool { results.contains { $0.outcome.isBad } }

    var text: String {
        var lines = ["", "The dearest tests:  seconds  of processors"]
        for result in results.sorted(by: { $0.cost > $1.cost }).prefix(20) {
            lines.append(
                "\(Self.column(result.seconds, 27))\(Self.column(result.processorSeconds, 15))  \(result.test)")
        }
        let processor = results.reduce(0) { $0 + $1.processorSeconds }
        lines.append(
            "\(results.count) tests in \(Int(seconds.rounded())) s, \(Int(processor.rounded())) s of processors")
        let bad = results.filter { $0.outcome.isBad }
        lines += bad.map { "✘ \($0.test) \($0.outcome == .crashed ? "crashed" : "failed")" }
        // A form that continuous integration knows.
        let counts = [Outcome.passed, .skipped].map { outcome in results.count { $0.outcome == outcome } }
        lines.append("\(counts[0]) passed, \(bad.count) failed, \(counts[1]) skipped")
        return lines.joined(separator: "\n")
    }

    private static func column(_ seconds: Double, _ width: Int) -> String {
        let text = String(format: "%.2f", seconds)
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension Result {
    /// A test that only waits holds a place, one that computes holds a processor.
    fileprivate var cost: Double { max(seconds, processorSeconds) }
}
