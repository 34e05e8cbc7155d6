import FileEngine
import ListChanges

/// Decodes and places the rows of a view that is declared by fields, on several threads, and gives them back in their order.
///
/// Rows go to the threads in chunks, because two processors that change one count of references wait for each other:
/// what the threads share they take once for each chunk.
final class RowPlacer {
    private let place: FieldPlacing.ByBytes
    // Unchecked: a member is called when the one before has returned, and each row would be checked.
    @exclusivity(unchecked) private var chunk = StoredBatch()
    @exclusivity(unchecked) private var ready: [PlacedBatch] = []
    private lazy var work = OrderedWork<Result<PlacedBatch, any Error>> { [unowned self] in ready.append(try $0.get()) }

    init(_ place: @escaping FieldPlacing.ByBytes) { self.place = place }

    /// Adds the next row.
    /// - Returns: rows that were placed meanwhile; nil for none.
    /// - Throws: what the placing of this row or of an earlier one threw.
    func add(_ row: ScannedRow) throws -> [PlacedBatch]? {
        chunk.append(row)
        guard chunk.isFull else { return nil }
        try passOn()
        return popReady()
    }

    /// Waits for all rows.
    /// - Returns: those that were not returned yet.
    func finish() throws -> [PlacedBatch] {
        if !chunk.isEmpty { try passOn() }
        try work.finish()
        return popReady()
    }

    private func passOn() throws {
        let (place, rows) = (place, chunk)
        chunk = StoredBatch()
        try work.add { Result { try place(rows) } }
    }

    private func popReady() -> [PlacedBatch] {
        if ready.isEmpty { return [] }
        defer { ready = [] }
        return ready
    }
}
