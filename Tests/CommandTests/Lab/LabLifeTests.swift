import Foundation
import TerminalTesting
import Testing

/// The start and the end of `yap lab`.
@Suite(.serialized) struct LabLifeTests {
    @Test func theSmallestAndTheLargestScreenAreOfUse() async throws {
        let lab = try await YapShell.lab("--motion none", width: 80, height: 24)
        try await lab.press("j", "d")
        try await lab.shows("– [0,0]          k1", "law       holds", "LOG ", "TIMES ", "MAPPINGS", "TIMELINE ")
        for (width, height) in [(200, 50), (40, 10), (100, 30)] {
            try lab.tmux.resize(width: width, height: height)
            try await lab.wait(for: "The lab at \(width)x\(height)") {
                $0.count >= height && $0[height - 1].contains("? help") && $0[0].contains("yap lab")
            }
        }
        try await lab.quit()
    }

    @Test func theHelpIsOfTheKeysAsTheyAre() async throws {
        let lab = try await YapShell.lab()
        try await lab.press("?")
        try await lab.shows("Keys", "insert a row after the selected one", "of ")
        try await lab.press("Escape")
        try await lab.shows("TIMELINE", missing: "Keys")
        try await lab.quit()
    }

    @Test func withoutColoursAndInASCIIEverythingIsStillTold() async throws {
        let lab = try await YapShell.lab("--unicode ascii", environment: "NO_COLOR=1")
        try await lab.press("j", "J")
        try await lab.shows("> [0,0] -> [0,1] k1", "o-@  1 of 1", ">k1")
        #expect(try lab.tmux.lines().allSatisfy { $0.utf8.count == $0.count })
        try await lab.quit()
    }

    @Test func rowsOfAFileAreThereAgain() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "rows.sqlite").path
            let first = try await YapShell.lab("--db \(file)")
            try await first.press("j", "d", "d")
            try await first.shows("2 of 2")
            try await first.quit()
            let second = try await YapShell.lab("--db \(file)")
            try await second.shows("k3     iris", "0 of 0", "rows.sqlite", missing: "k2     hazel")
            try await second.quit()
        }
    }

    /// Two labs on one file, each a foreign writer for the other.
    @Test(arguments: [(100, 30), (160, 50)])
    func whatAnotherProgramWritesIsShownAndTheTimelineRestarts(width: Int, height: Int) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "rows.sqlite").path
            let first = try await YapShell.lab("--db \(file)", width: width, height: height)
            try await first.press("j", "d")
            try await first.shows("1 of 1", missing: "k1     ginger")
            let second = try await YapShell.lab("--db \(file)", width: width, height: height)
            try await second.shows("k2     hazel", "0 of 0", missing: "k1     ginger")

            try await second.press("j", "a")
            try await second.shows("k11    ", "1 of 1")
            try await first.shows(
                "Another program changed the file: a new timeline begins.", "by another program", "k11    ", "0 of 0"
            )

            try await first.press("b", "d")
            try await first.shows("1 edit collected")
            try await second.press("D")
            // Shown there, too, before the other writes: else its commit would be part of this move.
            try await second.shows("2 of 2")
            try await first.shows("a new timeline begins. The collected edits are still there.", "1 edit collected")
            try await first.press("u", "b", "a")
            try await first.shows("1 of 1", "law       holds")
            try await second.shows("Another program changed the file", "0 of 0", "+ [0,0]")
            try await first.quit()
            try await second.quit()
        }
    }

    @Test func aFileOfAnotherProgramIsRefusedAndStaysAsItIs() async throws {
        try await withCopy(of: "chat") { file in
            let bytes = try Data(contentsOf: file)
            let shell = try await YapShell("lab --db \(file.path)")
            try shell.start()
            // The path decides where the lines end.
            try await shell.wait(for: "The reason") { lines in
                let text = lines.joined().replacing(" ", with: "")
                return text.contains("ended:12") && text.contains("arenotthelab's")
            }
            #expect(try Data(contentsOf: file) == bytes)
        }
    }

    @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
    func aSignalLeavesTheTerminalAndNoFolder(signal: Int32, code: Int32) async throws {
        let lab = try await YapShell.lab()
        try await lab.press("j", "d")
        try await lab.shows("1 of 1")
        let process = try lab.process()
        kill(process, signal)
        try await lab.expectEnd(exitCode: code)
        #expect(try scratchFolders(of: process).isEmpty)
    }

    /// A killed lab cleans up nothing.
    @Test func whatAKilledLabLeavesIsSweptByTheNext() async throws {
        let lab = try await YapShell.lab()
        let process = try lab.process()
        #expect(try scratchFolders(of: process).count == 1)
        try await lab.kill()
        let next = try await YapShell.lab()
        #expect(try scratchFolders(of: process).isEmpty)
        let living = try next.process()
        let another = try await YapShell.lab()
        #expect(try scratchFolders(of: living).count == 1)
        try await another.quit()
        try await next.quit()
    }

    private func scratchFolders(of process: pid_t) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").filter {
            $0.hasPrefix("yap-scratch-\(process)-")
        }
    }
}
