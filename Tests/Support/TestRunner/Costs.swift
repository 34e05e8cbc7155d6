import Foundation

/// What each test cost in the last whole run, in a file beside the log, the dearest first: a line is seconds, seconds of
/// processors and a name, with tabs between.
struct Costs {
    private let path: String

    init(beside log: String) { path = log + ".costs" }

    /// The seconds of each suite; none if there was no run.
    var secondsOfSuites: [String: Double] {
        let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
        let costs = lines.compactMap { line -> (String, Double)? in
            let parts = line.split(separator: "\t")
            guard parts.count == 3, let seconds = Double(parts[0]), seconds.isFinite else { return nil }
            return (String(parts[2].prefix { $0 != "/" }), seconds)
        }
        return Dictionary(costs, uniquingKeysWith: +)
    }

    func write(_ results: [Result]) throws {
        let lines = results.sorted { $0.seconds > $1.seconds }
            .map { String(format: "%.3f\t%.3f\t", $0.seconds, $0.processorSeconds) + $0.test + "\n" }
        try Data(lines.joined().utf8).write(to: URL(filePath: path))
    }
}
