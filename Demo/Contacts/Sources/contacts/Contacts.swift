import Foundation
import YapDatabase

/// What the first version of the program stored.
struct PersonV1: Codable, Sendable {
    var id = UUID()
    var name, mobile: String
}
struct Person: Codable, Sendable, Identifiable {
    var id: UUID
    var first, last, phone: String
    var isStarred = false
    var groupID: String?
    var added = Date.distantPast

    init(_ old: PersonV1) {
        let parts = old.name.split(separator: " ").map(String.init)
        (id, phone, first, last) = (old.id, old.mobile, parts.dropLast().joined(separator: " "), parts.last ?? "")
    }
}
struct Group: Codable, Sendable, Identifiable {
    var id: String
}

let people = YapCollection("people", of: Person.self, version: 2, migrating: .from(1, PersonV1.self) { Person($0) })
let groups = YapCollection("groups", of: Group.self)
let letters = YapList(
    "letters", of: people, groupedBy: .initial(\.last), sortedBy: .ascending(\.last), .ascending(\.first))
let starred = YapList("starred", filtering: letters, where: \.isStarred == true)
let names = YapTextIndex("names", of: people, on: \.first, \.last, \.phone)
let found = YapList("found", searching: names, in: letters)
let membership = YapRelation("membership", of: people, from: \.groupID, to: groups, onDelete: .clear)
let dates = YapIndex("dates", of: people, on: \.added)
let latest = people.order(.descending(\.added)).limit(3)

func openContacts(_ path: String) throws -> YapDatabase {
    let database = try YapDatabase(path: path)
    try fillAsFirstVersion(database)
    try database.register(letters, starred, names, found, membership, dates)
    return database
}
