import Foundation
import Testing

@testable import YapDatabase

@Suite struct ViewIterationTests {
    @Test func eachFormVisitsTheSameRows() throws {
        try withTemporaryDatabase { database throws in
            database.registerCodableSerialization(Item.self, metadata: Int.self, forCollection: "c", as: .json)
            try database.register(Item.view(), withName: "items")
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for number in 0..<100 {
                    try transaction.setObject(
                        Item(group: "A", sort: number, text: "\(number)"), forKey: "k\(number)", inCollection: "c",
                        withMetadata: number)
                }
            }
            try connection.read { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
                var found: [Int] = []
                func expect(_ expected: [Int], _ body: () throws -> Void) rethrows {
                    found = []
                    try body()
                    #expect(found == expected)
                }
                func note(_ index: Int, _ key: String, _ object: Any?, _ metadata: Any?) {
                    #expect(key == "k\(index)")
                    if let object { #expect((object as? Item)?.sort == index) }
                    if let metadata { #expect(metadata as? Int == index) }
                    found.append(index)
                }
                func isEven(_ collection: String, _ key: String) -> Bool { Int(key.dropFirst())! % 2 == 0 }
                let range = NSRange(location: 95, length: 50)
                let evens = [98, 96]
                try expect(Array(95..<100)) {
                    try view.enumerateKeys(inGroup: "A", range: range) { _, key, index, _ in note(index, key, nil, nil)
                    }
                }
                try expect([99, 98]) {
                    try view.enumerateKeys(inGroup: "A", with: .reverse) { _, key, index, stop in
                        note(index, key, nil, nil)
                        stop = index == 98
                    }
                }
                try expect(evens) {
                    try view.enumerateKeysAndObjects(inGroup: "A", with: .reverse, range: range, filter: isEven) {
                        _, key, object, index, _ in note(index, key, object, nil)
                    }
                }
                try expect(evens) {
                    try view.enumerateKeysAndMetadata(inGroup: "A", with: .reverse, range: range, filter: isEven) {
                        _, key, metadata, index, _ in note(index, key, nil, metadata)
                    }
                }
                try expect(evens) {
                    try view.enumerateRows(inGroup: "A", with: .reverse, range: range, filter: isEven) {
                        _, key, object, metadata, index, _ in note(index, key, object, metadata)
                    }
                }
                try expect(evens) {
                    try view.iterateRows(inGroup: "A", reversed: true, range: 95..<200, filter: isEven) {
                        _, key, object, metadata, index, _ in note(index, key, object, metadata)
                    }
                }
                try expect(Array(0..<100)) {
                    try view.enumerateRows(inGroup: "A") { _, key, object, metadata, index, _ in
                        note(index, key, object, metadata)
                    }
                }
                try expect([]) {
                    try view.enumerateKeysAndObjects(inGroup: "A", range: NSRange(location: NSNotFound, length: 0)) {
                        _, key, object, index, _ in note(index, key, object, nil)
                    }
                    try view.enumerateKeysAndMetadata(inGroup: "none") { _, key, metadata, index, _ in
                        note(index, key, nil, metadata)
                    }
                }
                let mappings = YapDatabaseViewMappings(groups: ["none", "A"], view: "items")
                try mappings.update(with: transaction)
                #expect(try view.getRow(forKey: "k7", inCollection: "c", with: mappings)! == (7, 1))
                #expect(try view.getRow(forKey: "k100", inCollection: "c", with: mappings) == nil)
            }
        }
    }
}
