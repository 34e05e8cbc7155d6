import TestSupport
import Testing

@testable import AnimationLab

/// The lesson's table of keys to press in the lab and their visible result.
@MainActor @Suite struct LessonScreenTests {
    @Test func theTableIsThere() {
        #expect(LessonKeys.rows.count >= 10)
    }

    @Test(arguments: LessonKeys.rows, [(80, 24), (100, 30), (200, 50)])
    func whatTheLessonSaysIsSeen(row: LessonKeys, size: (width: Int, height: Int)) throws {
        let index = try #require(LabEntry.examples.firstIndex { $0.name == row.entry })
        try withLab(LabEntry.examples, opening: index, width: size.width, height: size.height) { bench in
            // As `--gallery` opens it, with the introduction in a box above the list.
            try bench.choose(index)
            bench.press(row.keys.joined(separator: " "))
            bench.wait(0.1)
            #expect(bench.screen.contains(row.text), "\(row) at \(size):\n\(bench.screen)")
        }
    }
}
