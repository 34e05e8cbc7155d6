import Foundation
import TestSupport
import Testing

/// What `docs/everyday-tasks.md` says of lines is what stands there, and in the programs that it names.
@Suite struct EverydayTasksTests {
    private static let page = "docs/everyday-tasks.md"

    @Test func theTableHasTheNumbersOfTheLines() throws {
        let page = try text(of: Self.page)
        let here = try text(of: "Tests/Clients/Sources/everyday-tasks/main.swift")
        let columns = [
            counts(in: try #require(here.components(separatedBy: "// Declarations\n").last)),
            counts(in: try sample("## GRDB", in: page)), counts(in: try sample("## SwiftData", in: page)),
            counts(in: try sample("## The original", in: page)),
        ]
        let rows = page.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        try #require(rows.count == 18)
        for (task, row) in rows.prefix(16).enumerated() {
            #expect(task == 0 || row[0].hasPrefix("\(task). "), "\(row[0]) is not task \(task)")
            for (counts, cell) in zip(columns, row.dropFirst()) where !cell.isEmpty {
                #expect(cell == "\(counts[task] ?? 0)", "\(row[0])")
            }
        }
        let sums = { (tasks: ClosedRange<Int>) in columns.map { $0.filter { tasks ~= $0.key }.values.reduce(0, +) } }
        #expect(Array(rows[16].dropFirst()) == sums(0...10).map { "\($0)" })
        #expect(Array(rows[17].dropFirst()).prefix(3) == sums(0...15).prefix(3).map { "\($0)" }[...])
    }

    @Test func theContactsAreDeclaredIn35LinesWithoutACast() throws {
        let folder = "Demo/Contacts/Sources/contacts"
        #expect(counts(in: try text(of: "\(folder)/Contacts.swift"))[0] ?? 0 <= 35)
        for file in try FileManager.default.contentsOfDirectory(atPath: repository.appending(path: folder).path) {
            let code = try text(of: "\(folder)/\(file)")
            for word in [" as? ", " as! ", " as any ", "ext("] { #expect(!code.contains(word), "\(file): \(word)") }
        }
    }

    /// The lines of each task, 0 for declarations. `// 7` begins a task, and at the end of a line says whose the line is; `// Checks` begins
    /// what does not count.
    private func counts(in sample: String) -> [Int: Int] {
        var (counts, task, isCounted, isCheck): ([Int: Int], Int, Bool, Bool) = ([:], 0, true, false)
        for line in sample.components(separatedBy: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if let number = line.firstMatch(of: /^\/\/ (\d+)\b/) {
                (task, isCounted) = (Int(number.1) ?? 0, true)
            } else if line == "// Checks" {
                isCounted = false
            } else if isCheck || line.hasPrefix("check(") {
                isCheck = !line.hasSuffix("\")")
            } else if isCounted, !line.hasPrefix("//"), !line.hasPrefix("import "),
                !line.allSatisfy({ "{}()[]".contains($0) })
            {
                let owner = line.firstMatch(of: /\/\/ (\d+)$/).flatMap { Int($0.1) } ?? task
                counts[owner, default: 0] += 1
            }
        }
        return counts
    }

    private func sample(_ heading: String, in page: String) throws -> String {
        let section = try #require(page.components(separatedBy: "\n\(heading)\n").last)
        return section.components(separatedBy: "```text\n")[1].components(separatedBy: "\n```")[0]
    }

    private func text(of path: String) throws -> String {
        try String(contentsOf: repository.appending(path: path), encoding: .utf8)
    }
}
