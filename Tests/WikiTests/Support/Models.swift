// What the documents' apps store.

struct Book: Codable, Hashable, Sendable {
    var title: String
    var author = ""
    var genre = "books"
    var salesRank = 0

    func compareBookByTitleThenAuthor(_ other: Book) -> ComparisonResult {
        let order = title.compare(other.title)
        return order == .orderedSame ? author.compare(other.author) : order
    }
}

struct Magazine: Codable, Hashable, Sendable {
    var title: String
    var month: Int

    func compareMagazineByMonthThenTitle(_ other: Magazine) -> ComparisonResult {
        month == other.month ? title.compare(other.title) : month < other.month ? .orderedAscending : .orderedDescending
    }
}

struct Movie: Codable, Hashable, Sendable {
    var title: String
    var year: Int
    var groups: [String] = []
}

struct FilmActor: Codable, Hashable, Sendable {
    var name: String
}

struct Buddy: Codable, Hashable, Sendable {
    var name: String
    var status: String
}

struct Message: Codable, Hashable, Sendable {
    var text: String
    /// Hours since the first.
    var time: Double
}

struct Post: Codable, Hashable, Sendable {
    var text: String
    var time: Int

    func comparePostsByTimestamp(_ other: Post) -> ComparisonResult {
        time == other.time ? .orderedSame : time < other.time ? .orderedAscending : .orderedDescending
    }
}
