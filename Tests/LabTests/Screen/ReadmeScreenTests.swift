import Foundation
import Testing

@testable import AnimationLab

/// The table of the README that says what to press in the lab, and what one sees then.
@MainActor @Suite struct ReadmeScreenTests {
    struct Row: Sendable {
        let entry: String
        let keys: String
        let text: String
    }

    nonisolated static let rows: [Row] = {
        let readme = (try? String(contentsOf: repository.appending(path: "README.md"), encoding: .utf8)) ?? ""
        let table = readme.components(separatedBy: "| open | press | and see |\n|---|---|---|\n").last ?? ""
        return table.components(separatedBy: "\n\n")[0].split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "`").map(String.init)
            return cells.count == 7 ? Row(entry: cells[1], keys: cells[3], text: cells[5]) : nil
        }
    }()

    @Test func theTableIsThere() {
        #expect(Self.rows.count >= 10)
    }

    @Test(arguments: rows.indices) func whatTheReadmeSaysIsSeen(number: Int) throws {
        let row = Self.rows[number]
        let index = try #require(LabEntry.examples.firstIndex { $0.name == row.entry })
        try withLab(LabEntry.examples) { bench in
            try bench.lab.open(index)
            bench.press(row.keys)
            bench.wait(0.1)
            #expect(bench.screen.contains(row.text), "\(row.entry), \(row.keys):\n\(bench.screen)")
        }
    }
}
