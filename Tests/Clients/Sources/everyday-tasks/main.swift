import YapDatabase

// Fifteen everyday tasks, as docs/everyday-tasks.md lists them. Each ends with what must be true. Lines that count for one of them stand
// behind its number, or have it at their end; checks do not count (`EverydayTasksTests`).

// Declarations
struct Book: Codable, Sendable, Identifiable, Equatable {
    var id: Int
    var title: String
    var genre: String
    var price: Double
    var authorID: String?  // 13
}
let books = YapCollection(
    "books", of: Book.self, version: 2,  // 11
    migrating: .from(1, BookV1.self) {  // 11
        Book(id: $0.id, title: $0.title, genre: $0.genre, price: Double($0.cents) / 100)  // 11
    })
let shelf = YapList("shelf", of: books, groupedBy: \.genre, sortedBy: .ascending(\.title))
let prices = YapIndex("prices", of: books, on: \.price, \.genre)
let titles = YapTextIndex("titles", of: books, on: \.title)
let results = YapList("results", searching: titles, in: shelf)

// 11
struct BookV1: Codable, Sendable {
    var id: Int
    var title: String
    var genre: String
    var cents: Int
}
// 12
let bargains = YapList("bargains", filtering: shelf, where: \.price < 10)
// 13
struct Author: Codable, Sendable, Identifiable {
    var id: String
}
let authors = YapCollection("authors", of: Author.self)
let written = YapRelation("written", of: books, from: \.authorID, to: authors, onDelete: .deleteSource)

// Checks
let dune = Book(id: 1, title: "Dune", genre: "sci-fi", price: 9)
let emma = Book(id: 2, title: "Emma", genre: "novel", price: 7)
let ubik = Book(id: 3, title: "Ubik", genre: "sci-fi", price: 12)

func check(_ isTrue: Bool, _ task: String) {
    guard isTrue else { fatalError("This task does not do what it says: \(task)") }
    print("done: \(task)")
}

func tasks(path: String) async throws {
    // 1
    let database = try YapDatabase(path: path)
    try await database.register(shelf, prices, titles, results, bargains, written)
    let connection = try database.newConnection()
    check(connection.snapshot > 0, "1. open a database with a list, an index and a search")

    // 2
    try await connection.readWrite { transaction in
        try transaction[books].save([dune, emma, ubik])
    }
    check(try await connection.read { try $0[books].count } == 3, "2. store values")

    // 3
    let found = try await connection.read { transaction in try transaction[books][1] }
    check(found == dune, "3. read a value by its key")

    // 4
    try await connection.readWrite { transaction in
        try transaction[books].update(1) { book in book.price = 10 }
        try transaction[books].remove(2)
    }
    check(
        try await connection.read { try $0[books][1]?.price } == 10,
        "4. change a value and remove another in one transaction")

    // 5
    let page = try await connection.read { transaction in
        try transaction[shelf].values(in: "sci-fi")
    }
    check(page.map(\.title) == ["Dune", "Ubik"], "5. show a group of a sorted list")

    // 6
    let cheap = try await connection.read { transaction in
        try transaction[books].where(\.price < 11 && \.genre == "sci-fi").order(.ascending(\.price)).limit(10).values()
    }
    check(cheap.map(\.id) == [1], "6. find rows by an index")

    // 7
    let typed = "ub"
    try await connection.readWrite { try $0[results].search(for: .prefixes(of: typed)) }
    for try await update in connection.updates(of: results) {
        check(update.rows.map(\.id) == [3], "7. search while a person types, in a list that follows")
        break
    }

    // 8
    var titlesShown: [String] = []
    let writer = try database.newConnection()
    for try await update in connection.updates(of: shelf) {
        titlesShown = update.rows.map(\.title)
        guard case .changes(let changes) = update.outcome else {
            try await writer.readWrite { transaction in try transaction[books].save(emma) }
            continue
        }
        check(changes.rowChanges.count == 1, "8. follow a list, with the exact change-set of each commit")
        break
    }
    check(titlesShown == ["Emma", "Dune", "Ubik"], "   and its rows")

    // 9
    try await MainActor.run {
        let model = try YapListModel(shelf, .last(50, groups: ["novel", "sci-fi"]), in: database)
        let (sections, row) = (model.sections, model[1, 0])
        check(
            sections.map(\.group) == ["novel", "sci-fi"] && row == dune.priced(10),
            "9. observe sections and rows")
    }

    // 10
    try await writer.readWrite { transaction in
        for id in 10..<1_010 {
            try transaction[books].save(Book(id: id, title: "Book \(id)", genre: "other", price: 1))
        }
    }
    check(try await writer.read { try $0[books].count } == 1_003, "10. write a thousand rows in one transaction")

    // 12
    try await connection.readWrite { try $0[bargains].setFilter(\.price < 20) }
    for try await update in connection.updates(of: bargains) {
        check(
            update.sections.last?.rows.map(\.title) == ["Dune", "Ubik"],
            "12. filter a list, by a condition that changes")
        break
    }

    // 13
    try await connection.readWrite { transaction in
        try transaction[authors].save(Author(id: "Herbert"))
        try transaction[books].update(1) { $0.authorID = "Herbert" }
    }
    let theirs = try await connection.read { try $0[written].sources(of: "Herbert") }
    check(theirs.map(\.title) == ["Dune"], "13. ask for the books of an author")
    try await connection.readWrite { try $0[authors].remove("Herbert") }
    check(try await connection.read { try $0[books][1] } == nil, "    and remove them with the author")

    // 14
    let dearest = books.where(\.price > 5).order(.descending(\.price)).limit(10)
    for try await update in connection.updates(of: dearest) {
        check(update.rows.map(\.title) == ["Ubik", "Emma"], "14. follow a query, without a list")
        break
    }

    // 15
    var count = 0
    for try await page in connection.pages(shelf.pages(of: 300, in: "other")) {
        count += page.values.count
    }
    check(count == 1_000, "15. go through a list page by page")

    // Checks
    try database.close()
}

/// Reads what the first version of the program stored.
func migration(path: String) async throws {
    let database = try YapDatabase(path: path)
    let old = YapCollection("books", of: BookV1.self, key: \.id)
    let connection = try database.newConnection()
    try await connection.readWrite { transaction in
        try transaction[old].save(BookV1(id: 1, title: "Dune", genre: "sci-fi", cents: 900))
    }
    check(
        try await connection.read { try $0[books][1] } == dune,
        "11. read what an older version stored, whose type was another")
    try database.close()
}

try await tasks(path: CommandLine.arguments[1])
try await migration(path: CommandLine.arguments[1] + ".old")

extension Book {
    func priced(_ price: Double) -> Book {
        var book = self
        book.price = price
        return book
    }
}
