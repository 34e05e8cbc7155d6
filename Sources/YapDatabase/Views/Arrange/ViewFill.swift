/// Fills a view from rows that are read for several extensions at once.
final class ViewFill: RowReceiver {
    /// Unchecked: a member is called when the one before has returned, and each row would be checked.
    @exclusivity(unchecked) private var population: ViewPopulation
    private let didEnd: (UndecodableRows) throws -> Void

    /// - Parameter didEnd: receives the rows that are left out.
    init(_ population: ViewPopulation, didEnd: @escaping (UndecodableRows) throws -> Void) throws {
        self.population = population
        self.didEnd = didEnd
        try self.population.begin()
    }

    var allowedCollections: YapWhitelistBlacklist? { population.allowed }
    var needs: RowNeeds { population.arrangement.needs }
    var isConcurrent: Bool { true }

    func receive(_ row: ScannedRow) throws { try population.add(row) }

    func receive(_ rows: [DecodedRow], in transaction: YapDatabaseReadTransaction) throws {
        try population.add(rows, in: transaction)
    }

    func sort(in transaction: YapDatabaseReadTransaction) throws { try population.sortLastBatch(in: transaction) }

    func end() throws {
        try population.fillGroups()
        try didEnd(population.undecodable)
    }
}
