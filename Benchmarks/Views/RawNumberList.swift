import Foundation

/// The reference for views of one group: rows that are numbers, in the order of the numbers.
final class RawNumberList {
    private let list: RawList

    init(_ url: URL) throws { list = try RawList(url, of: NumberList.collection, placeType: "BLOB") }

    func inTransaction(_ body: () throws -> Void) throws { try list.inTransaction(body) }

    func add(_ object: Data, _ key: String) throws {
        try list.add(object, key, group: NumberList.group, place: object)
    }

    /// Gives a row another number, and so another place.
    func set(_ object: Data, _ key: String) throws {
        try list.set(object, key, group: NumberList.group, place: object) { (NumberList.group, $0) }
    }
}
