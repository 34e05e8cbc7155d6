/// Fills a view from rows that are read for several extensions at once.
final class ViewFill: RowReceiver {
    private var population: ViewPopulation
    private let didEnd: () throws -> Void

    init(_ population: ViewPopulation, didEnd: @escaping () throws -> Void) throws {
        self.population = population
        self.didEnd = didEnd
        try self.population.begin()
    }

    var allowedCollections: YapWhitelistBlacklist? { population.allowed }
    var needsValues: Bool { !population.arrangement.needs.isEmpty }

    func receive(_ row: ScannedRow) throws { try population.add(row) }

    func end() throws {
        let pages = population.pages
        try population.end { group, rows, tally in try pages.fill(group, with: rows, &tally) }
        try didEnd()
    }
}
