import Foundation
import TestTraits
import Testing

@testable import YapDatabaseServer

@Suite(.needsPostgreSQL) struct DifferenceTests {
    @Test func aFileIsComparedWithItsSpace() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            for key in 0..<5 { try a.set("v", "\(key)", metadata: "m") }
            try a.set(nil, "0")
            try scene.expectEqual(a, b)
            try scene.close(b)
            try a.set("later", "1")
            let plain = try YapDatabase(url: scene.folder.appending(path: "b.sqlite"), options: .forTests)
            var difference = try YapDatabaseServerDifference(plain, address: scene.server.address())
            #expect((difference.equal, difference.different, difference.changedLater) == (3, 0, 1))
            try plain.setUnasked("other", "2", metadata: "m")
            try plain.setUnasked("new", "6")
            try plain.setUnasked(nil, "3")
            difference = try YapDatabaseServerDifference(plain, address: scene.server.address())
            #expect((difference.equal, difference.different, difference.changedLater) == (1, 3, 1))
            #expect(Set(difference.examples.map(\.key)) == ["2", "3", "6"])
            try plain.close()
            let alone = try YapDatabase(url: scene.folder.appending(path: "alone.sqlite"), options: .forTests)
            #expect(throws: YapDatabaseServerError.self) {
                _ = try YapDatabaseServerDifference(alone, address: scene.server.address())
            }
            try alone.close()
        }
    }
}
