import Foundation
import YapDatabase

/// Secondary indexes and full-text searches, against the same tables kept with SQLite alone.
let lookupCases: [Case] = [
    byScore.insertCase(atMost: 1.5), byScore.queryCase(atMost: 1.2), byText.insertCase(atMost: 1.3),
    byText.queryCase(atMost: 1.2), searchWhileTypingCase,
]

private let byScore = LookupList(
    name: "secondary_index",
    register: { database in
        let setup = YapDatabaseSecondaryIndexSetup()
        setup.addColumn("score", with: .real)
        let handler = YapDatabaseSecondaryIndexHandler.withObjectBlock { _, dict, _, _, object in
            if let person = object as? Person { dict["score"] = person.score }
        }
        try database.register(YapDatabaseSecondaryIndex(setup: setup, handler: handler), withName: "people")
    },
    find: { transaction, body in
        let index = transaction.ext("people") as! YapDatabaseSecondaryIndexTransaction
        let query = YapDatabaseQuery(string: "WHERE score < ?", parameters: [1.25])
        try index.iterateKeysAndObjects(matching: query) { _, _, object, _ in body(object) }
    },
    schema: [
        #"CREATE TABLE "people" ("rowid" INTEGER PRIMARY KEY, "score" REAL)"#,
        #"CREATE INDEX "score" ON "people" ("score")"#,
    ],
    insertion: #"INSERT INTO "people" ("rowid", "score") VALUES (?, ?)"#, columns: { [$0.score] },
    selection: """
        SELECT d."data" FROM "people" AS p JOIN "database2" AS d ON d."rowid" = p."rowid" WHERE p."score" < 1.25
        """)

private let byText = LookupList(
    name: "fts",
    register: { database in
        let handler = YapDatabaseFullTextSearchHandler.withObjectBlock { _, dict, _, _, object in
            if let person = object as? Person { dict["text"] = text(person) }
        }
        try database.register(
            YapDatabaseFullTextSearch(columnNames: ["text"], handler: handler), withName: "people")
    },
    find: { transaction, body in
        let search = transaction.ext("people") as! YapDatabaseFullTextSearchTransaction
        try search.iterateKeysAndObjects(matching: "team7") { _, _, object, _ in body(object) }
    },
    schema: [#"CREATE VIRTUAL TABLE "people" USING fts5("text")"#],
    insertion: #"INSERT INTO "people" ("rowid", "text") VALUES (?, ?)"#, columns: { [text($0)] },
    selection: """
        SELECT d."data" FROM "people" AS p JOIN "database2" AS d ON d."rowid" = p."rowid" WHERE "people" MATCH 'team7'
        """)

/// A dozen words, one of which every hundredth person has.
@Sendable private func text(_ person: Person) -> String {
    "\(person.name) writes to \(person.email) from \(person.city) for team\(Int(person.score * 8) % 100)"
}
