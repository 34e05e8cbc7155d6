import Foundation
import Testing

@testable import YapDatabase

@Suite struct RTreeIndexTests {
    private struct Place: Codable {
        var x: Double
        var y: Double
        var size: Double
    }

    private func index(_ handler: YapDatabaseRTreeIndexHandler? = nil) -> YapDatabaseRTreeIndex {
        let setup = YapDatabaseRTreeIndexSetup(capacity: 4)
        setup.setColumns(["minX", "maxX", "minY", "maxY"])
        let places = YapDatabaseRTreeIndexHandler.withObjectBlock { dict, _, _, object in
            guard let place = object as? Place else { return }
            dict["minX"] = place.x
            dict["maxX"] = place.x + place.size
            dict["minY"] = place.y
            dict["maxY"] = place.y + place.size
        }
        return YapDatabaseRTreeIndex(setup: setup, handler: handler ?? places)
    }

    @Test func rangesFindPlaces() throws {
        try withTemporaryDatabase { database throws in
            database.registerCodableSerialization(Place.self, forCollection: "places")
            try database.register(index(), withName: "tree")
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for number in 0..<1_000 {
                    let place = Place(x: Double(number % 40), y: Double(number / 40), size: number == 999 ? 50 : 0.5)
                    try transaction.setObject(place, forKey: "\(number)", inCollection: "places")
                }
            }
            try connection.read { transaction throws in
                let tree = try transaction.tree()
                let inside = "WHERE minX >= ? AND maxX <= ? AND minY >= ? AND maxY <= ? ORDER BY rowid"
                #expect(try tree.keys(inside, 1, 3, 2, 4.0) == ["81", "82", "121", "122"])
                let query = YapDatabaseQuery(string: "WHERE maxX > ?", parameters: [80])
                #expect(try tree.numberOfRows(matching: query) == 1)
                try tree.iterateRows(matching: query) { _, key, object, _, _ in
                    #expect(key == "999" && (object as? Place)?.size == 50)
                }
                #expect(try tree.explain(matching: query)[0].contains("VIRTUAL TABLE INDEX 2"))
                #expect(try tree.rowids(forKeys: ["0"], inCollection: "places") == ["0": 1])
                expectError(.badQuery, mentioning: "\"tree\"", "no such column: minZ", "character 7") {
                    _ = try tree.keys("WHERE minZ > 1")
                }
            }
        }
    }

    @Test func aRangeThatEndsBeforeItBeginsFailsTheTransaction() throws {
        let handler = YapDatabaseRTreeIndexHandler.withKeyBlock { dict, _, _ in
            dict["minX"] = 2
            dict["maxX"] = 1
        }
        try withTemporaryDatabase { database throws in
            try database.register(index(handler), withName: "tree")
            let connection = try database.newConnection()
            expectError(.sqlite, mentioning: "minX<=maxX") {
                try connection.readWrite { try $0.setObject("", forKey: "k") }
            }
            try connection.read { transaction throws in #expect(try transaction.numberOfKeysInAllCollections() == 0) }
        }
    }
}
