import LiveTable
import Testing

@testable import AnimationLab

@Suite struct PanelTests {
    private let theme = Theme(depth: .monochrome)

    @Test func theMappingsShowEachGroupWithItsWindow() throws {
        var scenario = DatabaseScenario.small
        let range = RangeSetup(kind: .flexible, length: 4, offset: 2, from: .end, max: 8, min: 2)
        scenario.mappings.config = [
            .range(range, group: "A"), .reverse(true, group: "A"), .dependencies([-1], group: "A"),
            .dynamicSection(true, group: "B"), .consolidate(threshold: 3, name: "all"),
        ]
        scenario.initial = (1...12).map { .row("k\($0)", "A", $0) }
        try withSession(scenario) { session in
            #expect(
                text(.mappings(session, width: 60, theme: theme)) == """
                    MAPPINGS                                    groups of a list
                    A  4 of 12  reversed  flexible first 4, offset 2, 2 to 8 rows  looks at -1
                       ░░████░░░░░░
                    B  0  hidden  dynamic
                    one section "all" below 3 rows: not now
                    """)
        }
    }

    @Test func aGroupThatIsNotShownIsNamed() throws {
        try withSession(.small) { session in
            _ = try session.regroup(.list(["B"]))
            #expect(text(.mappings(session, width: 60, theme: theme)).hasSuffix("\nB  1\nleft out: A"))
            #expect(
                text(.changes(session, width: 60, theme: theme)) == """
                    LAST CHANGE-SET                                 other groups
                    law       holds  before + changes = after
                    other mappings; found by comparing both lists
                    section – 0 "A"
                    – [0,0]          k1
                    – [0,1]          k2
                    – [0,2]          k3
                    """)
        }
    }

    @Test func theLastChangeSetIsReadFromTopToBottom() throws {
        var scenario = DatabaseScenario.small
        scenario.mappings.config = [.dynamicSection(true, group: "B"), .dependencies([-1], group: "A")]
        try withSession(scenario) { session in
            session.isHolding = true
            _ = try session.perform(.delete(.lab("k1")))
            _ = try session.perform(.moveToGroup(.lab("k4"), by: -1))
            _ = try session.perform(.insertAfter(.lab("k3")))
            _ = try session.jump()
            let (before, after) = try #require(session.lastMove?.step.advance.snapshots)
            #expect(
                text(.changes(session, width: 60, theme: theme)) == """
                    LAST CHANGE-SET                           #\(before) → #\(after)  3 commits
                    law       holds  before + changes = after
                    section – 1 "B"
                    – [0,0]          k1
                    + [0,3]          k5
                    → [1,0] → [0,0]  k4     object, metadata
                    ~ [0,1]          k2     dependency
                    dependency: a row changed that this one looks at
                    """)
            #expect(
                text(.log(session, width: 60, theme: theme)) == """
                    LOG       delete A 0 k1 · delete B 0 k4 · insert A 0 k4 ·
                              group B gone · insert A 3 k5
                    """)
            _ = try session.stepBack()
            #expect(text(.changes(session, width: 60, theme: theme)).contains("section + 1 \"B\"\n– [0,3]"))
        }
    }

    @Test func theTimelineShowsWhereOneIsAndWhatWaits() throws {
        try withSession(.small) { session in
            #expect(text(.timeline(session, width: 40, theme: theme)) == "TIMELINE  ◉  0 of 0")
            for _ in 1...3 { _ = try session.perform(.insertAtRandom) }
            _ = try session.stepBack()
            session.isHolding = true
            _ = try session.perform(.insertAtRandom)
            session.isCollecting = true
            _ = try session.perform(.insertAtRandom)
            #expect(
                text(.timeline(session, width: 40, theme: theme)) == """
                    TIMELINE  ●─●─◉─●  2 of 3
                              1 edit collected
                                \(session.collected[0].operations[0].words)
                              1 commit not shown
                    """)
        }
    }

    @Test func theSettingsAreAForm() throws {
        try withSession(.small) { session in
            let settings = LabSettings(
                mappings: session.state.mappings, groups: session.setup.groups, known: session.knownGroups, group: "A")
            #expect(
                text(.settings(settings, chosen: .order, width: 60, theme: theme)) == """
                    SETTINGS                          the view's first row first
                     group           A
                     section         static
                    ▌order         ‹ as in the view ›
                     range           all rows
                     looks at        no neighbour
                     chosen          yes
                       place         1 of 2
                     all sections    each as it is set
                     one section     never
                     groups          a fixed list
                    """)
        }
    }

    @Test func whatHasNoRoomSaysHowMuchThereIsMore() {
        let long = PanelPart(title: "LONG", lines: (1...9).map { Line(text: "line \($0)") }, least: 2, rank: 2)
        let low = PanelPart(title: "LOW", lines: [Line(text: "low")], rank: 1)
        #expect(lines([long, low], height: 6) == ["LONG", "line 1", "line 2", "… 7 more", "LOW", "low"])
        #expect(lines([long, low], height: 3) == ["LONG", "line 1", "… 8 more"])
        #expect(
            lines([PanelPart(title: "LOG", lines: long.lines, rank: 1, isInline: true)], height: 1) == [
                "LOG       line 1 …"
            ])
        #expect(lines([long, low], height: 13).suffix(3) == ["", "LOW", "low"])
    }

    @Test func theLineThatMattersStaysInSight() {
        func shown(_ anchor: Int) -> [String] {
            let lines = (0...9).map { Line(text: "line \($0)") }
            return self.lines([PanelPart(title: "FORM", lines: lines, anchor: anchor, rank: 1)], height: 6)
        }
        #expect(shown(1) == ["FORM", "line 0", "line 1", "line 2", "line 3", "… 6 more"])
        #expect(shown(5) == ["FORM", "… 4 more", "line 4", "line 5", "line 6", "… 3 more"])
        #expect(shown(9) == ["FORM", "… 6 more", "line 6", "line 7", "line 8", "line 9"])
    }

    @Test func aLineThatIsTooLongSaysSo() {
        let long = PanelPart(title: "LONG", lines: [Line(text: "a line of more than twenty")], rank: 2)
        #expect(lines([long], height: 2) == ["LONG", "a line of more than…"])
        let titled = PanelPart(title: "A LONG TITLE", detail: Line(text: "and more"), lines: [[]], rank: 2)
        #expect(lines([titled], height: 2).first == "A LONG TITLE")
    }

    @Test func fillersMoveNothingElse() {
        let part = PanelPart(title: "PART", lines: [Line(text: "a")], rank: 2)
        let filler = PanelPart(title: "FILLER", lines: [Line(text: "x"), Line(text: "y")], rank: 1, isFiller: true)
        #expect(lines([part, filler], height: 9) == ["PART", "a", "", "FILLER", "x", "y"])
        #expect(lines([part, filler], height: 4) == ["PART", "a"])
    }

    @Test func asciiHasStandInsForEverySymbol() throws {
        var scenario = DatabaseScenario.small
        scenario.mappings.config = [
            .range(RangeSetup(kind: .fixed, length: 2, offset: 0, from: .beginning), group: "A")
        ]
        try withSession(scenario) { session in
            _ = try session.perform(.delete(.lab("k1")))
            let ascii = Theme(depth: .monochrome, unicode: .ascii)
            let parts: [PanelPart] = [
                .mappings(session, width: 60, theme: ascii), .changes(session, width: 60, theme: ascii),
                .log(session, width: 60, theme: ascii), .timeline(session, width: 60, theme: ascii),
                .times(session, frame: .milliseconds(2), width: 60, theme: ascii),
            ]
            for part in parts.map(text) { #expect(part.utf8.count == part.count, "\(part)") }
        }
    }

    private func text(_ part: PanelPart) -> String {
        let lines = part.drawn(showing: part.lines.count, width: 60, theme: theme).map(\.text)
        return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }

    private func lines(_ parts: [PanelPart], height: Int) -> [String] {
        parts.column(width: 20, height: height, theme: theme).map(\.text)
    }
}
