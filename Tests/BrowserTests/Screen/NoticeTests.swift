import FileReading
import LiveTable
import TestSupport
import Testing

@testable import Browser

/// Messages are drawn when they arrive, and can be read in full.
@Suite @MainActor struct NoticeTests {
    private struct Trouble: Error, CustomStringConvertible {
        let description = "Something went wrong in a way that takes quite a few words to tell, more than a line has."
    }

    @Test func anErrorAsksForAFrame() throws {
        try withCopy(of: "books") { file in
            let scene = try BrowserScene(file.path)
            _ = scene.grid
            #expect(scene.screen.nextFrame == nil)
            scene.screen.report(Trouble())
            #expect(scene.screen.nextFrame == -.infinity)
            #expect(scene.hint.contains("Something went wrong"))
        }
    }

    @Test func aNoticeIsWrappedWhereItDoesNotFit() throws {
        try withCopy(of: "books") { file in
            let scene = try BrowserScene(file.path, width: 40, height: 12)
            scene.screen.report(Trouble())
            #expect(
                scene.grid.lines.suffix(3) == [
                    " Something went wrong in a way that", " takes quite a few words to tell, more",
                    " than a line has.",
                ])
            scene.press(.down)
            #expect(!scene.text.contains("went wrong"))
        }
    }

    @Test func onATinyScreenAKeyOpensIt() throws {
        try withCopy(of: "books") { file in
            let scene = try BrowserScene(file.path, width: 20, height: 5)
            scene.screen.report(Trouble())
            #expect(scene.hint == " ! shows all")
            scene.type("!")
            var seen = scene.text
            for _ in 0..<10 {
                scene.press(.down)
                seen += scene.text
            }
            #expect(seen.contains("Something") && seen.contains("has."))
            scene.press(.escape)
            #expect(!scene.text.contains("The last"))
        }
    }
}
