import Foundation

@testable import YapDatabase

/// The value of the tests of the typed forms, and what is declared over it.
struct Novel: Codable, Hashable, Identifiable, Sendable {
    enum Shelf: String, Codable, Sendable, YapFieldValue, YapGroup {
        case attic
        case cellar
        case hall
    }

    struct Author: Codable, Hashable, Sendable {
        var name: String
    }

    var id: Int
    var title: String
    var shelf: Shelf?
    var price: Double
    var year: Int?
    var isOwned = true
    var author = Author(name: "Unknown")

    var shout: String { title.uppercased() }

    static let all = YapCollection("novels", of: Novel.self)
    static let order = YapList(
        "order", of: all, groupedBy: \.shelf, sortedBy: .descending(\.year), .ascending(\.title), .ascending(\.id),
        where: \.isOwned == true)
    static let fields = YapIndex("fields", of: all, on: \.price, \.year, \.title, \.shelf, \.author.name, \.isOwned)
    static let texts = YapTextIndex("texts", of: all, on: \.title, \.author.name)

    init(
        _ id: Int, _ title: String, _ shelf: Shelf? = .hall, price: Double = 10, year: Int? = nil, isOwned: Bool = true,
        author: String = "Le Guin"
    ) {
        (self.id, self.title, self.shelf, self.price, self.year) = (id, title, shelf, price, year)
        self.isOwned = isOwned
        self.author = Author(name: author)
    }
}

extension YapList {
    /// How a list with groups and orders of its own places its rows.
    var placement: Placement<Value> {
        guard case .placed(let placement) = source else { fatalError("\(name) has the places of another list.") }
        return placement
    }
}
