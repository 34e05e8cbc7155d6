import TestSupport
import Testing

/// Every row of the README's table, typed as it is written.
@Suite(.serialized) struct ReadmeTourTests {
    @Test func theTableIsThere() {
        #expect(ReadmeTour.rows.count >= 10)
    }

    @Test(arguments: ReadmeTour.rows) func whatTheReadmeSaysIsSeen(row: ReadmeTour) async throws {
        let lab = try await YapShell.lab("--gallery \(row.entry)", width: 80, height: 24)
        try await lab.shows("│")
        for key in row.keys { try await lab.press(key) }
        try await lab.shows(row.text)
        try await lab.quit()
    }
}
