import Foundation

/// The results as text: a line for each case, with its targets.
struct ResultTable {
    private let nameWidth: Int

    init(_ cases: [Case]) {
        nameWidth = max(4, cases.map(\.name.count).max() ?? 0)
    }

    var head: String { line("case", "value", "reference", "ratio", "target") }

    var foot: String { "Load: \(load) on \(ProcessInfo.processInfo.activeProcessorCount) processors." }

    func line(_ one: Case, _ measurement: Measurement) -> String {
        let targets = one.targets.map { target in
            "\(target) \(target.isMet(by: measurement) ? "met" : "MISSED")"
        }
        return line(
            one.name, "\(measurement.value.short) \(one.unit)", measurement.reference.map(\.short) ?? "",
            measurement.ratio.map(\.short) ?? "", targets.joined(separator: "; "))
    }

    private func line(_ name: String, _ value: String, _ reference: String, _ ratio: String, _ target: String)
        -> String
    {
        let columns = [
            name.padded(to: nameWidth), value.padded(to: 18, right: true), reference.padded(to: 10, right: true),
            ratio.padded(to: 7, right: true), target,
        ]
        return columns.joined(separator: "  ")
    }

    /// The machine's load, without which the numbers cannot be judged.
    private var load: String {
        var averages = [0.0, 0, 0]
        guard getloadavg(&averages, 3) == 3 else { return "unknown" }
        return averages[0].short
    }
}

extension Double {
    /// The number with three significant digits.
    var short: String {
        let size = abs(self)
        return String(format: size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", self)
    }
}

extension String {
    fileprivate func padded(to width: Int, right: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - count))
        return right ? blanks + self : self + blanks
    }
}
