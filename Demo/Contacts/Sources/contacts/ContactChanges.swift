import Foundation
import YapDatabase

extension Person {
    var name: String { first.isEmpty ? last : "\(first) \(last)" }

    init(name: String, phone: String = "", groupID: String? = nil) {
        self.init(PersonV1(name: name, mobile: phone))
        (self.groupID, added) = (groupID, .now)
    }
}

extension YapDatabaseReadWriteTransaction {
    func add(_ person: Person) throws {
        if let group = person.groupID { try self[groups].save(Group(id: group)) }
        try self[people].save(person)
    }

    /// Puts a person into the group behind the present one; behind the last one into none.
    func moveToNextGroup(_ id: UUID) throws {
        let all = try self[groups].keys().sorted()
        try self[people].update(id) { person in
            person.groupID = all.first { group in person.groupID.map { $0 < group } ?? true }
        }
    }
}

/// Fills a file as the first version of the program did: what this version shows of it went through the migration.
func fillAsFirstVersion(_ database: YapDatabase) throws {
    let old = YapCollection("people", of: PersonV1.self, key: \.id)
    let samples = [
        "Ada Lovelace", "Alan Turing", "Barbara Liskov", "Conor O'Brien", "Donald Knuth", "Edsger Dijkstra",
        "Éva Tardos",
        "Frances Allen", "Grace Hopper", "John Backus", "Katherine Johnson", "Leslie Lamport", "Margaret Hamilton",
        "Niklaus Wirth", "Radia Perlman", "Tony Hoare",
    ]
    try database.newConnection().readWrite { transaction in
        guard try transaction[old].count == 0 else { return }
        for (number, name) in samples.enumerated() {
            try transaction[old].save(PersonV1(name: name, mobile: "555 \(1_000 + number * 37)"))
        }
        for name in ["Family", "Friends", "Work"] { try transaction[groups].save(Group(id: name)) }
    }
}
