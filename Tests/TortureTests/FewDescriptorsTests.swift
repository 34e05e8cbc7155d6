import Foundation
import TestSupport
import Testing
import TortureLedger
import YapDatabase

/// A process that has few file descriptors left gets an error, or works. libdispatch would stop it by an illegal instruction, perhaps after a commit.
@Suite struct FewDescriptorsTests {
    @Test(arguments: [false, true]) func anErrorIsThrownOrTheRowIsStored(opensBefore: Bool) throws {
        try Torture.inFolder("descriptors") { folder in
            var (stored, refused) = (0, 0)
            for free in 0..<24 {
                let file = folder.appending(path: "t.sqlite")
                let child = try Child(
                    ["descriptors", file.path, "\(free)", opensBefore ? "1" : "0"], name: "free \(free)", in: folder)
                let end = child.end()
                try require(end == 0, "with \(free) free it ended with \(end): \(child.lastWords)")
                let words = try String(contentsOf: child.output, encoding: .utf8)
                if words == "stored\n" { stored += 1 } else { refused += 1 }
                try require(words == "stored\n" || words.contains("ulimit -n"), "with \(free) free: \(words)")
                child.removeFiles()
            }
            #expect(stored > 4 && refused > (opensBefore ? 0 : 4), "\(stored) stored, \(refused) refused")
            #expect(try YapDatabase.check(url: folder.appending(path: "t.sqlite")) == [])
        }
    }
}
