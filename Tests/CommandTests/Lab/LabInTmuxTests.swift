import Foundation
import TerminalTesting
import Testing

/// `yap lab` on a real terminal emulator: every group of keys, at two sizes.
@Suite(.serialized) struct LabInTmuxTests {
    private static let sizes = [(width: 100, height: 30), (width: 160, height: 50)]

    @Test(arguments: sizes) func rowsAreEdited(width: Int, height: Int) async throws {
        let lab = try await YapShell.lab(width: width, height: height)
        try await lab.press("j", "a")
        try await lab.shows("▌k11", "+ [0,1]          k11", "law       holds", "1 of 1")
        try await lab.press("J")
        try await lab.shows("→ [0,1] → [0,2]  k11")
        try await lab.press(">")
        try await lab.shows("→ [0,2] → [1,0]  k11")
        try await lab.press("c")
        try await lab.shows("~ [1,0]          k11    object")
        try await lab.press("m")
        try await lab.shows("~ [1,0]          k11    metadata")
        try await lab.press("<")
        try await lab.shows("→ [1,0] → [0,2]  k11")
        try await lab.press("t", "i", "r", "d", "K")
        try await lab.shows("11 of 11")
        try await lab.press("D")
        try await lab.shows("12 of 12", "– [1,0]", "law       holds")
        try await lab.quit()
    }

    @Test(arguments: sizes) func editsAreCollectedCommitsHeldAndAllIsUndone(width: Int, height: Int) async throws {
        let lab = try await YapShell.lab(width: width, height: height)
        try await lab.press("j", "b", "a", "d")
        try await lab.shows("2 edits collected", "Enter commit", "▌k1")
        try await lab.wait(for: "The mark at k1") { $0.contains { $0.contains(/^▌k1 +ginger +–/) } }
        try await lab.press("Enter")
        try await lab.shows("– [0,0]          k1", "+ [0,0]          k11", "1 commit", "collecting edits")
        try await lab.press("b", "h", "d", "j", "d")
        try await lab.shows("2 commits not shown")
        try await lab.press("Enter")
        try await lab.shows("2 commits", "2 of 2")
        try await lab.press("u", "u")
        try await lab.shows("k1     ginger", "back, turned round", "0 of 2")
        try await lab.press("U")
        try await lab.shows("1 of 2")
        try await lab.press("[", "]")
        try await lab.shows("2 of 2")
        try await lab.quit()
    }

    @Test(arguments: sizes) func timeIsSlowedDownAndStopped(width: Int, height: Int) async throws {
        let lab = try await YapShell.lab(width: width, height: height)
        try await lab.press("-", "-", "-", "-", "j", "J")
        try await lab.shows("speed 1/20", "MOTION", "at rest in")
        try await lab.press("p")
        try await lab.shows("stopped", "MOTION")
        let before = try lab.tmux.lines()
        // The rows change their lines within twenty frames; the time that is left may be cut at the panel's edge.
        for _ in 0..<20 { try await lab.press(".") }
        try await lab.wait(for: "Another frame") { $0 != before && $0.contains { $0.contains("stopped") } }
        try await lab.press("p", "+", "+", "+", "+")
        try await lab.shows("speed 1 ", missing: "MOTION")
        try await lab.press("M")
        try await lab.shows("motion reduced")
        try await lab.press("x")
        try await lab.shows("1 of 1", missing: "playing")
        try await lab.quit()
    }

    @Test(arguments: sizes) func storms(width: Int, height: Int) async throws {
        let lab = try await YapShell.lab(width: width, height: height)
        try await lab.press("4", "0", "s")
        try await lab.shows("A storm of 40 edits, seed 7.", "law       holds")
        try await lab.press("S")
        try await lab.shows("seed of the storm of 20 edits: 8")
        try await lab.press("BSpace", "9", "9", "Enter")
        try await lab.shows("A storm of 20 edits, seed 99.", "2 of 2")
        try await lab.quit()
    }

    @Test(arguments: sizes) func settingsAreChangedLive(width: Int, height: Int) async throws {
        let lab = try await YapShell.lab(width: width, height: height)
        try await lab.press("Tab", "j", "j", "Right")
        try await lab.shows("▌order         ‹ reversed ›", "mappings changed")
        try await lab.press("j", "Right")
        try await lab.shows("A  5 of 6  reversed  fixed last 5", "░█████")
        try await lab.press("j", "Left", "Left", "j", "Right")
        try await lab.shows("fixed last 3, offset 1", "‹ 1 ›")
        try await lab.press("Escape")
        try await lab.shows("a add", missing: "SETTINGS")
        try await lab.press("a")
        try await lab.shows("law       holds", "6 of 6")
        try await lab.quit()
    }

    @Test(arguments: sizes) func groupsAreChosenLive(width: Int, height: Int) async throws {
        let lab = try await YapShell.lab(width: width, height: height)
        try await lab.press("Tab", "j", "j", "j", "j", "j", "j", "Right")
        try await lab.shows("▌  place       ‹ 2 of 3 ›", "reload: groups changed their places")
        try await lab.press("k", "Right")
        try await lab.shows("▌chosen        ‹ no ›", "left out: A", "section – 1 \"A\"", "law       holds")
        try await lab.press("a", "D", "Enter")
        try await lab.shows("section + 1 \"D\"", "group           D")
        try await lab.press("j", "j", "j", "j", "Right")
        try await lab.shows("‹ some that have rows ›", "of B, C, D, ascending")
        try await lab.press("u", "u", "u", "u")
        try await lab.shows("A  6", "C  0  hidden  dynamic", "0 of 4", missing: "left out")
        try await lab.quit()
    }

    @Test(arguments: sizes) func theOriginalsAnswerIsATableBesideOurs(width: Int, height: Int) async throws {
        let lab = try await YapShell.lab("--gallery fixed-offset --motion none", width: width, height: height)
        try await lab.press("Right", "Right")
        try await lab.shows(" ours ", " the original ", "≠", "k5!    t23", "k7!    t8")
        try await lab.press("v")
        try await lab.shows("2 of 2", missing: " ours ")
        try await lab.press("v")
        try await lab.shows("by change-set", "by reload")
        try await lab.quit()
    }

    @Test(arguments: sizes) func theGalleryOpensOnTheScreen(width: Int, height: Int) async throws {
        let lab = try await YapShell.lab("--gallery phantom-rows", width: width, height: height)
        try await lab.shows("One step: → takes one")
        try await lab.press("Right")
        try await lab.shows(
            "PHANTOM-ROWS", "THE ORIGINAL WOULD SAY", "A table view throws an exception", "law       holds")
        try await lab.press("e")
        try await lab.shows("Examples", "▌phantom-rows", "roster")
        try await lab.press("g", "j", "Enter")
        try await lab.shows("yap lab · roster", "5 steps: → takes one")
        try await lab.press("x")
        try await lab.shows("STEP 5", "5 of 5")
        try await lab.press("n")
        try await lab.shows("yap lab · last-50-messages")
        try await lab.press("Enter", "v", "Right")
        try await lab.shows("by change-set", "by reload")
        try await lab.quit()
    }

    @Test(arguments: sizes) func aScenarioIsRecordedAndReplaysWithoutAScreen(width: Int, height: Int) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "recorded.jsonl").path
            let lab = try await YapShell.lab(width: width, height: height)
            try await lab.press("j", "a", "J", "s", "Tab", "j", "j", "Right", "Tab", "d")
            try await lab.shows("5 of 5")
            let changes = try await changeLines(lab)
            try await lab.press("w", "C-u")
            try await lab.press(file, "Enter")
            try await lab.shows("5 steps are a line of")
            try await lab.quit()

            let replay = try YapRun(["lab", "--replay", file])
            #expect(replay.code == 0)
            #expect(replay.text.components(separatedBy: "\"outcome\":").count == 6)
            let again = try await YapShell.lab(file, width: width, height: height)
            try await again.press("]")
            try await again.shows("5 of 5")
            #expect(try await changeLines(again) == changes)
            try await again.quit()
        }
    }

    /// The lines of the last change-set.
    private func changeLines(_ lab: YapShell) async throws -> [String] {
        try await lab.shows("TIMES", missing: "at rest in")
        let signs = ["– [", "+ [", "→ [", "~ ["]
        return try lab.tmux.lines().filter { line in signs.contains(where: line.contains) }.map {
            String($0.split(separator: "│").last ?? "")
        }
    }
}
