import LiveTable
import Testing

@testable import Browser

/// Text from a file reaches the terminal only as text.
@MainActor @Suite struct HostileTextTests {
    @Test func escapeSequencesInNamesKeysAndValuesAreHarmless() throws {
        let bad = "char(27) || ']0;owned' || char(7) || char(27) || '[2J' || char(155) || '31m' || char(8238) || 'x'"
        try withFile("json") { path in
            try change(
                path,
                [
                    "UPDATE database2 SET \"key\" = \(bad) WHERE rowid = 1",
                    "UPDATE database2 SET \"collection\" = \(bad) WHERE rowid = 2",
                    "UPDATE database2 SET data = '{\"text\": \"' || \(bad) || '\"}' WHERE rowid = 3",
                    "UPDATE view_view_page SET \"group\" = \(bad) WHERE \"group\" = 'odd'",
                ])
            let scene = try BrowserScene(path, width: 160, height: 40)
            for key in "jjljjkkkkk".map(Key.character) + [.enter, .enter, .tab, .tab] {
                scene.press(key)
                expectHarmless(scene.grid)
            }
            scene.type("/")
            scene.screen.handle(.paste("\u{1B}[31m\u{9B}"))
            expectHarmless(scene.grid)
            #expect(scene.text.contains("␛"))
        }
    }

    @Test func aLargeValueIsShownByItsBeginning() throws {
        try withFile("json") { path in
            try change(
                path, ["UPDATE database2 SET data = '{\"text\": \"' || hex(zeroblob(9000000)) || '\"}' WHERE rowid = 1"]
            )
            let scene = try BrowserScene(path)
            #expect(scene.text.contains("18 MB, too large for a line"))
            #expect(scene.text.contains("00000"))
            scene.press(.enter, .enter)
            scene.type("jx")
            expectHarmless(scene.grid)
        }
    }

    @Test func tenThousandCombiningMarksTakeOneCell() throws {
        try withFile("json") { path in
            let marks = "replace(hex(zeroblob(5000)), '0', char(769))"
            try change(path, ["UPDATE database2 SET \"key\" = 'e' || \(marks) || 'nd' WHERE rowid = 1"])
            let scene = try BrowserScene(path)
            scene.press(.enter)
            scene.type("g")
            expectHarmless(scene.grid)
            #expect(scene.grid.cells.allSatisfy { ($0.character?.unicodeScalars.count ?? 1) < 20 })
        }
    }

    private func expectHarmless(_ grid: Grid) {
        let scalars = grid.cells.flatMap { $0.character.map { Array($0.unicodeScalars) } ?? [] }
        let bad = scalars.filter { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        }
        #expect(bad.isEmpty)
    }
}
