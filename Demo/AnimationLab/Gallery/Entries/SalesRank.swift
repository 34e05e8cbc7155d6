extension GalleryEntry {
    static let topBooks = GalleryEntry(
        name: "top-20-books", title: "The top 20 books", kind: .example,
        about: """
            A view sorts books by sales rank, and a fixed range shows the first 20: LIMIT 20 in SQL. Whatever climbs in \
            pushes another row out at the bottom, and that row is named too, although it is unchanged.
            """,
        scenario: DatabaseScenario(
            id: "top-20-books",
            mappings: MappingsSetup(
                groups: .list(["books"]),
                config: [.range(RangeSetup(kind: .fixed, length: 20, offset: 0, from: .beginning), group: "books")]),
            initial: (1...25).map { .book($0, rank: $0) },
            steps: [
                .init(commits: [[.book(26, rank: 0)]]), .init(commits: [[.book(24, rank: 3)]]),
                .init(commits: [[.remove(.lab("book 1"))]]), .init(commits: [[.book(25, rank: 30)]]),
            ]),
        steps: [
            Step(text: "A new book goes straight to the top, and the twentieth drops out."),
            Step(text: "Book 24 climbs from beyond the range to a place in the middle: here it is an insert."),
            Step(text: "Book 1 is sold out and deleted: the twenty-first moves up into the range."),
            Step(text: "Something happens beyond the range: nothing is to be drawn."),
        ])

    static let reversedSalesRank = GalleryEntry(
        name: "reversed-sales-rank", title: "The 20 worst sellers, the worst at the top", kind: .example,
        about: """
            The same view, from its other end: the last 20 rows, reversed. The view itself does not change, only the \
            mappings do. Order matters when one configures: "the last 20, then reversed" is the same as "reversed, then \
            the first 20", because after reversing one speaks as one sees.
            """,
        scenario: DatabaseScenario(
            id: "reversed-sales-rank",
            mappings: MappingsSetup(
                groups: .list(["books"]),
                config: [
                    .range(RangeSetup(kind: .fixed, length: 20, offset: 0, from: .end), group: "books"),
                    .reverse(true, group: "books"),
                ]),
            initial: (1...25).map { .book($0, rank: $0) },
            steps: [
                .init(commits: [[.book(26, rank: 26)]]),
                .init(
                    reconfigure: [
                        .removeRange(group: "books"), .reverse(false, group: "books"), .reverse(true, group: "books"),
                        .range(RangeSetup(kind: .fixed, length: 20, offset: 0, from: .beginning), group: "books"),
                    ], commits: []),
                .init(commits: [[.book(26, rank: 20)]]),
            ]),
        steps: [
            Step(text: "A book that sells even worse: it is the last of the view and comes in at the top."),
            Step(text: "Configured the other way round, reversed and then the first 20: the same rows, no changes."),
            Step(text: "It sells a little better and moves down."),
        ])
}

extension RowOperation {
    fileprivate static func book(_ number: Int, rank: Int) -> RowOperation {
        .set(.lab("book \(number)"), LabRow(group: "books", sort: rank, text: ""), metadata: nil)
    }
}
