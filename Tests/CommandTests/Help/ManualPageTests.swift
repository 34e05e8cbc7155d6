import Foundation
import Testing

@Suite struct ManualPageTests {
    @Test func theManualPageIsInStepWithTheHelp() throws {
        let page = try String(contentsOf: repository.appending(path: "man/yap.1"), encoding: .utf8)
        #expect(page == (try output(["help", "--man"])), "`./run manual` writes man/yap.1.")
    }

    @Test func everyCommandAndOptionIsInTheManual() throws {
        let page = try output(["help", "--man"]).replacing("\\-", with: "-")
        for command in try commandNames() {
            #expect(page.contains(".SS yap \(command) "))
            for line in try output(["help", command]).split(separator: "\n") where line.hasPrefix("  --") {
                let name = try #require(line.firstMatch(of: /--([a-z0-9-]+)/)).1
                #expect(name == "help" || page.contains("--\(name)\\fR"), "\(command) --\(name)")
            }
        }
    }

    @Test func helpOfACommandIsTheSameBothWays() throws {
        for command in try commandNames() {
            #expect(try output(["help", command]) == output([command, "--help"]))
        }
        #expect(try output(["help"]) == output(["--help"]))
    }
}
