import Foundation

/// The reference: items in the same format, and their list by rank.
final class RawItems {
    private let list: RawList

    init(_ url: URL) throws { list = try RawList(url, of: Item.collection, placeType: "REAL") }

    var database: RawHandle { list.database }

    func inTransaction(_ body: () throws -> Void) throws { try list.inTransaction(body) }

    func insert(_ bytes: Data, _ key: String) throws { try list.insert(bytes, key) }

    /// Adds a row to the table and the list.
    func add(_ item: Item, _ key: String) throws {
        try list.add(item.encoded(), key, group: item.group, place: item.rank)
    }

    /// Gives a row other content, and so another place.
    func set(_ item: Item, _ key: String) throws {
        try list.set(item.encoded(), key, group: item.group, place: item.rank) { former in
            let old = try Item.decoded(former)
            return (old.group, old.rank)
        }
    }

    /// Gives a row of the table other content.
    func replace(_ item: Item, _ key: String) throws { try list.replace(item.encoded(), key) }

    func item(_ key: String) throws -> Item? { try list.row(key).map { try Item.decoded($0.bytes) } }
}
