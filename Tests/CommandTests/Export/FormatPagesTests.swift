import Foundation
import TestSupport
import Testing

/// The pages about the lines of an export and about scenarios: their examples are read by the commands.
@Suite struct FormatPagesTests {
    private func examples(_ page: String) throws -> [String] {
        let text = try String(contentsOf: repository.appending(path: "docs/\(page).md"), encoding: .utf8)
        return text.components(separatedBy: "```json\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    @Test func theExportOfThePageIsImportedAndSound() throws {
        let lines = try #require(examples("export-format").first)
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "new.sqlite").path
            let run = try YapRun(["import", "-", file], input: lines)
            #expect(run.code == 0 && run.errors == "", "\(run.errors)")
            #expect(try check([file]).code == 0)
            let row = try #require(browse("--key", "books/dune", "--json", file).objects().first)
            #expect(row["object"] as? [String: String] == ["title": "Dune"])
            #expect(try YapRun(["export", "--to", "-", file]).lines == lines.split(separator: "\n").map(String.init))
        }
    }

    @Test func theScenariosOfThePageAreReplayed() throws {
        let all = try examples("scenario-format").flatMap { $0.split(separator: "\n").map(String.init) }
        let scenarios = all.filter { $0.contains("\"mappings\"") }
        #expect(scenarios.count == 3)
        let run = try YapRun(["lab", "--replay", "-"], input: scenarios.map { $0 + "\n" }.joined())
        #expect(run.code == 0 && run.lines.count == 3 && !run.text.contains("\"error\""), "\(run.text)")
        // The page shows the first one's result.
        let shown = try #require(all.first { $0.contains("\"rowChanges\"") })
        func object(_ text: String) throws -> NSDictionary {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
        }
        let (page, result) = (try object(shown), try object(run.lines[0]))
        let steps = try #require(page["steps"] as? [[String: Any]]),
            found = try #require(result["steps"] as? [[String: Any]])
        for (name, value) in steps[0] { #expect((found[0][name] as? NSObject) == (value as? NSObject), "\(name)") }
    }
}
