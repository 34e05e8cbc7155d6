import Foundation
import TestSupport
import Testing
import TortureLedger
import YapDatabase

/// A migration that is killed.
@Suite struct KilledMigrationTests {
    /// Before each of its steps in turn (in the short form a sample): no row is lost or wrong, list and index are right, and the migration goes on.
    @Test func aMigrationThatIsKilledAtAnyStepLosesNothing() throws {
        try Torture.inFolder("migrate") { folder in
            let template = folder.appending(path: "template.sqlite")
            try Child.finish(["notes", template.path], name: "notes", in: folder)
            let kills = try KilledSteps(command: "migrate", template: template, folder: folder).run(
                longest: Effort.isFull ? 30 : 200
            ) { file, step, _ in
                try Child.finish(["migrated", file.path], name: "check \(step)", in: folder)
            }
            try require(kills > 1, "the migration had too few steps to be killed")
        }
    }

    /// A program of the first version goes on writing while another process migrates: it is told, and overwrites nothing.
    @Test func anOlderProgramBesideAMigrationIsToldAndOverwritesNothing() throws {
        try Torture.inFolder("versions") { folder in
            let file = folder.appending(path: "t.sqlite")
            try Child.finish(["notes", file.path], name: "notes", in: folder)
            let old = try Child(["old-notes", file.path], name: "old", in: folder)
            try waitUntil("the older program writes") { try !String(contentsOf: old.output, encoding: .utf8).isEmpty }
            let new = try Child(["beside-old", file.path, "\(old.process)"], name: "new", in: folder)
            try require(old.end() == 0, "the older program: \(old.lastWords)")
            try require(new.end() == 0, "the newer program: \(new.lastWords)")
            let reported = try String(contentsOf: old.output, encoding: .utf8).split(separator: "\n").dropFirst()
            try Child.finish(
                ["both-done", file.path, "," + reported.joined(separator: ",")], name: "check", in: folder)
            let problems = try YapDatabase.check(url: file)
            try require(problems.isEmpty, "\(problems)")
        }
    }
}
