import Foundation
import Testing

@testable import YapDatabase

/// The extensions that look up items: by `sort` and `group`, by the words of `text`, and by the range from `sort` on that is
/// as long as the text. Items without a group are in none of them.
extension Item {
    static func index(
        tag: String = "1", options: YapDatabaseSecondaryIndexOptions = .init(),
        onBlock: @escaping @Sendable () -> Void = {}
    ) -> YapDatabaseSecondaryIndex {
        let setup = YapDatabaseSecondaryIndexSetup()
        setup.addColumn("sort", with: .integer)
        setup.addColumn("grp", with: .text)
        return YapDatabaseSecondaryIndex(
            setup: setup,
            handler: .withObjectBlock { _, dict, _, _, object in
                onBlock()
                guard let item = object as? Item, let group = item.group else { return }
                dict["sort"] = item.sort
                dict["grp"] = group
            }, versionTag: tag, options: options)
    }

    static func search(
        tag: String = "1", version: String? = nil, onBlock: @escaping @Sendable () -> Void = {}
    ) -> YapDatabaseFullTextSearch {
        YapDatabaseFullTextSearch(
            columnNames: ["text", "grp"],
            handler: .withObjectBlock { _, dict, _, _, object in
                onBlock()
                guard let item = object as? Item, let group = item.group else { return }
                dict["text"] = item.text
                dict["grp"] = group
            }, ftsVersion: version, versionTag: tag)
    }

    static func tree(tag: String = "1", onBlock: @escaping @Sendable () -> Void = {}) -> YapDatabaseRTreeIndex {
        let setup = YapDatabaseRTreeIndexSetup()
        setup.setColumns(["least", "greatest"])
        return YapDatabaseRTreeIndex(
            setup: setup,
            handler: .withObjectBlock { dict, _, _, object in
                onBlock()
                guard let item = object as? Item, item.group != nil else { return }
                dict["least"] = item.sort
                dict["greatest"] = item.sort + item.text.count
            }, versionTag: tag)
    }
}

extension YapDatabaseReadTransaction {
    func index(_ name: String = "idx") throws -> YapDatabaseSecondaryIndexTransaction {
        try #require(ext(name) as? YapDatabaseSecondaryIndexTransaction)
    }

    func search(_ name: String = "fts") throws -> YapDatabaseFullTextSearchTransaction {
        try #require(ext(name) as? YapDatabaseFullTextSearchTransaction)
    }

    func tree(_ name: String = "tree") throws -> YapDatabaseRTreeIndexTransaction {
        try #require(ext(name) as? YapDatabaseRTreeIndexTransaction)
    }
}

extension YapDatabaseQueryTransaction {
    /// The keys that a query finds, in its order.
    func keys(_ query: String, _ parameters: Any...) throws -> [String] {
        var keys: [String] = []
        try iterateKeys(matching: YapDatabaseQuery(string: query, parameters: parameters)) { _, key, _ in
            keys.append(key)
        }
        return keys
    }
}

extension YapDatabaseFullTextSearchTransaction {
    /// The keys that a search finds.
    func keys(_ query: String) throws -> [String] {
        var keys: [String] = []
        try iterateKeys(matching: query) { _, key, _ in keys.append(key) }
        return keys
    }
}

extension YapDatabase {
    /// Writes items with these numbers, keys `k<number>`; every third has no group.
    func writeItems(_ numbers: Range<Int>) throws {
        try newConnection().readWrite { transaction throws in
            for number in numbers {
                let item = Item(
                    group: number % 3 == 0 ? nil : number % 3 == 1 ? "A" : "B", sort: number,
                    text: "hello number \(number)")
                try transaction.setObject(item, forKey: "k\(number)", inCollection: "c")
            }
        }
    }
}
