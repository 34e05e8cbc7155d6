import YapDatabase

// Ten everyday tasks, as docs/ten-tasks.md lists them. Each ends with what must be true.

struct Book: Codable, Sendable, Identifiable, Equatable {
    var id: Int
    var title: String
    var genre: String
    var price: Double
}

let books = YapCollection("books", of: Book.self)
let shelf = YapList("shelf", of: books, groupedBy: \.genre, sortedBy: .ascending(\.title))
let prices = YapIndex("prices", of: books, on: \.price, \.genre)
let titles = YapTextIndex("titles", of: books, on: \.title)

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
    try await database.register(shelf, prices, titles)
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
    let matches = try await connection.read { transaction in
        try transaction[titles].values(matching: "ub*")
    }
    check(matches.map(\.id) == [3], "7. search in texts")

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
        check(
            model.sections.map(\.group) == ["novel", "sci-fi"] && model[1, 0] == dune.priced(10),
            "9. observe sections and rows")
    }

    // 10
    let (before, after) = try await writer.readWrite { transaction in
        let before = try transaction[books].count
        for id in 10..<1_010 {
            try transaction[books].save(Book(id: id, title: "Book \(id)", genre: "other", price: 1))
        }
        return (before, try transaction[books].count)
    }
    check(before == 3 && after == 1_003, "10. write a thousand rows in one transaction")

    try database.close()
}

try await tasks(path: CommandLine.arguments[1])

extension Book {
    func priced(_ price: Double) -> Book {
        var book = self
        book.price = price
        return book
    }
}
