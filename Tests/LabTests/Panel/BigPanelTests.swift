import LiveTable
import Testing

@testable import AnimationLab

@MainActor @Suite struct BigPanelTests {
    @Test func aLargeChangeSetIsCutAndSaysSo() throws {
        var scenario = DatabaseScenario.small
        scenario.initial = (1...2_000).map { .row("k\($0)", "A", $0) }
        try withLab([LabEntry(name: "big", scenario: scenario)], width: 160, height: 50) { bench in
            bench.press("1 0 0 0 s")
            #expect(bench.lab.session.lastMove?.problem == nil)
            bench.wait(0.2)
            #expect(bench.screen.contains(" more") && bench.screen.contains("law       holds"))
        }
    }
}
