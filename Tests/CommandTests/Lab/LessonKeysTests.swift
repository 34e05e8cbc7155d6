import TestSupport
import Testing

/// Every row of the lesson's table, typed as it is written.
@Suite(.serialized) struct LessonKeysTests {
    @Test func theTableIsThere() {
        #expect(LessonKeys.rows.count >= 10)
    }

    @Test(arguments: LessonKeys.rows) func whatTheLessonSaysIsSeen(row: LessonKeys) async throws {
        let lab = try await YapShell.lab("--gallery \(row.entry)", width: 80, height: 24)
        try await lab.shows("│")
        for key in row.keys { try await lab.press(key) }
        try await lab.shows(row.text)
        try await lab.quit()
    }
}
