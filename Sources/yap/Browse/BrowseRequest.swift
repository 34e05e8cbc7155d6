import FileReading

/// What `yap browse` must print.
struct BrowseRequest {
    enum Subject {
        case listing
        case rows(ListSubject)
        /// The part before each slash may be the collection, or what derives the row; the first combination that exists counts.
        case row([(collection: StoredText, key: StoredText)])
        case search(SearchText, collection: StoredText?, isKeysOnly: Bool)
    }

    let subject: Subject
    let selection: RowSelection
    let format: PrintFormat
    let isFollowing: Bool
    let filter: RowFilter
    /// Whether a row's bytes are printed as they are stored.
    let isRaw: Bool

    /// - Throws: ``UsageError`` if the options contradict each other.
    init(_ options: ParsedOptions) throws {
        subject = try Self.subject(options)
        selection = try Self.selection(options)
        format = try Self.format(options)
        isFollowing = options["follow"] != nil
        filter = RowFilter(options)
        isRaw = options["raw"] != nil
        try checkCompany(options)
    }

    private static let subjects = [
        "list", "collection", "view", "index", "full-text", "relationship", "r-tree", "table", "yap2", "key",
    ]

    static let searchOfTables = "In another table, --where finds a text: --table NAME --where \"column LIKE '%text%'\"."

    private static func subject(_ options: ParsedOptions) throws -> Subject {
        let given = subjects.filter { options[$0] != nil }
        if let text = options["search"] {
            guard given.allSatisfy({ $0 == "collection" }) else {
                throw UsageError(
                    "--search goes through the rows of the database, or of one --collection. \(searchOfTables)")
            }
            guard !text.isEmpty else { throw UsageError("--search needs a text.") }
            let collection = options["collection"].map { StoredText($0) }
            return .search(SearchText(text), collection: collection, isKeysOnly: options["keys-only"] != nil)
        }
        guard given.count <= 1 else {
            throw UsageError("Only one of \(given.map { "--\($0)" }.joined(separator: " and ")) at a time.")
        }
        switch given.first {
        case "collection":
            return .rows(.collection(StoredText(options["collection"]!), by: try rowOrder(options["by"])))
        case "view": return .rows(.view(options["view"]!, groups: options["group"].map { [$0] }))
        case "index": return .rows(.index(options["index"]!, by: options["by"]))
        case "full-text": return .rows(.fullText(options["full-text"]!, matching: options["match"]))
        case "relationship": return .rows(.relationship(options["relationship"]!))
        case "r-tree": return .rows(.rTree(options["r-tree"]!))
        case "table": return .rows(.table(options["table"]!))
        case "yap2": return .rows(.smallValues)
        case "key": return .row(addresses(options["key"]!))
        default: return .listing
        }
    }

    private static func rowOrder(_ text: String?) throws -> ListSubject.RowOrder {
        guard let text else { return .key }
        guard let order = ListSubject.RowOrder(rawValue: text) else {
            throw UsageError("A collection is ordered by key or by rowid, not by \"\(text)\".")
        }
        return order
    }

    /// Without a slash, the collection is the one without a name.
    private static func addresses(_ text: String) -> [(collection: StoredText, key: StoredText)] {
        let slashes = text.indices.filter { text[$0] == "/" }
        if slashes.isEmpty { return [(StoredText(""), StoredText(text))] }
        let parts = slashes.map { (String(text[..<$0]), StoredText(String(text[text.index(after: $0)...]))) }
        return parts.map { (StoredText($0), $1) } + parts.map { (StoredText(derivedBy: $0), $1) }
    }

    private static func selection(_ options: ParsedOptions) throws -> RowSelection {
        let (first, last) = try (options.number("first"), options.number("last"))
        guard first == nil || last == nil else { throw UsageError("Either --first or --last.") }
        if first == 0 || last == 0 { throw UsageError("--first and --last take a number of at least 1.") }
        func limited(_ number: UInt64) -> Int { Int(min(number, 1 << 40)) }
        let range: RowSelection.Range = first.map { .first(limited($0)) } ?? last.map { .last(limited($0)) } ?? .all
        return RowSelection(range, isReversed: options["reversed"] != nil)
    }

    private static func format(_ options: ParsedOptions) throws -> PrintFormat {
        let given = PrintFormat.allCases.filter { options[$0.rawValue] != nil }
        guard given.count <= 1 else { throw UsageError("Only one of --json, --csv, --plain and --markdown.") }
        return given.first ?? .plain
    }

    /// Rejects options that need another one.
    private func checkCompany(_ options: ParsedOptions) throws {
        for (option, company) in [
            ("group", ["view"]), ("match", ["full-text"]), ("by", ["collection", "index"]), ("keys-only", ["search"]),
            ("raw", ["key"]),
        ] where options[option] != nil && company.allSatisfy({ options[$0] == nil }) {
            throw UsageError("--\(option) needs \(company.map { "--\($0)" }.joined(separator: " or ")).")
        }
        var isRows = false
        if case .rows = subject { isRows = true }
        var isRow = false
        if case .row = subject { isRow = true }
        if isRow, isFollowing, isRaw { throw UsageError("--follow prints JSON, not bytes.") }
        if case .search = subject {
            for option in ["follow", "where", "sort", "count-by", "columns"] where options[option] != nil {
                throw UsageError(
                    "--\(option) and --search do not go together: --where \"title LIKE '%dune%'\" looks into a field.")
            }
            return
        }
        for option in ["first", "last", "reversed", "follow", "where", "sort", "count-by", "columns"]
        where options[option] != nil && !isRows && !(option == "follow" && isRow) {
            throw UsageError("--\(option) needs a list: --collection, --view, --index, --full-text.")
        }
        if isFollowing, filter.isActive || filter.columns != nil {
            throw UsageError("--follow shows a list as it is, without --where or --sort.")
        }
        if filter.countBy != nil,
            ["first", "last", "reversed", "sort", "columns"].contains(where: { options[$0] != nil })
        {
            throw UsageError("--count-by counts all rows that --where selects, the most frequent value first.")
        }
        if isFollowing, ["csv", "plain", "markdown"].contains(where: { options[$0] != nil }) {
            throw UsageError("--follow prints JSON.")
        }
    }
}
