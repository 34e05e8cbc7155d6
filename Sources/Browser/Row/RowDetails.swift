import FileReading
import ObjectDecoding

/// A row loaded in the background: read, decoded, and found in the views, indexes and relationships.
struct RowDetails: Sendable {
    /// A neighbouring row in the list.
    struct Neighbour: Hashable, Sendable {
        var name: String
        var key: String
        var rowid: Int64
    }

    let subject: ListSubject
    let row: BrowsedRow
    let object: DecodedObject?
    let metadata: DecodedObject?
    let columns: [(name: String, value: DecodedObject)]
    /// What it is in; nil for what is no row of a collection.
    let membership: RowMembership?
    var neighbours: [Neighbour] = []
    /// The error of finding that out.
    let problem: String?

    var places: [ViewPlace] { membership?.places ?? [] }

    /// Reads in the transaction for interactive reads, for a short time; decodes outside it.
    init(_ rowid: Int64, _ content: ListContent, _ known: TreeKnowledge, _ decoder: RowDecoder) throws {
        subject = content.subject
        row = try content.snapshot.read { try content.row(rowid, valueBytes: FileSnapshot.valueBytes, $0) }
        object = decoder.object(of: row)
        metadata = decoder.metadata(of: row)
        let row = row
        columns = row.columns.map { ($0.name, decoder.decode($0.value)) }
        guard content.subject.hasRowsOfTheDatabase else {
            (membership, problem) = (nil, nil)
            return
        }
        do {
            membership = try RowMembership(rowid, content.snapshot, known.catalog, pages: known.pages)
            problem = nil
        } catch {
            (membership, problem) = (nil, "\(error)")
        }
    }
}
