import FileEngine
import ObjectDecoding

/// Finds out in what two files differ: rows by collection and key, values by what is decoded from them, then views.
///
/// Both files are walked in the order of their keys, so memory stays bounded. Values with equal bytes are not decoded.
package struct FileComparison {
    private let (first, second): (FileSnapshot, FileSnapshot)
    private let decoder = RowDecoder()
    private var ids: RowIdentities
    package private(set) var counts = DifferenceCounts()
    /// What was not compared, in sentences.
    package private(set) var notes: [String] = []

    package init(_ first: FileSnapshot, _ second: FileSnapshot) {
        (self.first, self.second) = (first, second)
        ids = RowIdentities()
    }

    /// Calls a closure with each difference: those of rows in the order of their keys, then those of views.
    /// - Parameter progress: called now and then with the number of rows that were compared.
    package mutating func run(
        withViews: Bool = true, progress: (Int) throws -> Void = { _ in }, _ body: (FileDifference) throws -> Void
    ) throws {
        try compareRows(progress, body)
        guard withViews else { return }
        let names = try [first, second].map { try $0.catalog().views.filter(\.hasPages).map(\.name) }
        for name in Set(names[0] + names[1]).sorted(by: { $0.precedes($1) }) {
            guard names[0].contains(name), names[1].contains(name) else {
                try note(.view(name, isNew: names[1].contains(name)), body)
                continue
            }
            try compareView(name, body)
        }
    }

    private mutating func note(_ difference: FileDifference, _ body: (FileDifference) throws -> Void) throws {
        counts.inViews += 1
        try body(difference)
    }
}

// MARK: Rows

extension FileComparison {
    private static let rowsBetweenReports = 1_000

    private mutating func compareRows(
        _ progress: (Int) throws -> Void, _ body: (FileDifference) throws -> Void
    ) throws {
        var (old, new) = (try KeyOrderCursor(first), try KeyOrderCursor(second))
        var (before, after) = (try old.next(), try new.next())
        var done = 0
        while before != nil || after != nil {
            done += 1
            if done % Self.rowsBetweenReports == 0 { try progress(done) }
            let order = Self.order(before?.address, after?.address)
            switch (before, after) {
            case (let row?, _) where order < 0:
                counts.deleted += 1
                try body(.deleted(row))
                before = try old.next()
            case (_, let row?) where order > 0:
                counts.inserted += 1
                ids.addNew(row.rowid)
                try body(.inserted(row))
                after = try new.next()
            case (let one?, let other?):
                ids.add(one.rowid, other.rowid)
                try compare(one, other, body)
                (before, after) = (try old.next(), try new.next())
            default: return
            }
        }
    }

    /// Negative if the first comes before the second.
    private static func order(_ a: BrowsedRow.Address?, _ b: BrowsedRow.Address?) -> Int {
        guard let a, let b else { return a == nil ? 1 : -1 }
        return a == b ? 0 : a < b ? -1 : 1
    }

    private mutating func compare(
        _ one: BrowsedRow, _ other: BrowsedRow, _ body: (FileDifference) throws -> Void
    ) throws {
        if one.object == other.object, one.metadata == other.metadata { return counts.equal += 1 }
        let object = decoder.differences(one.object, other.object)
        let metadata = decoder.differences(one.metadata, other.metadata)
        guard let address = one.address, !object.isEmpty || !metadata.isEmpty else {
            counts.storedOtherwise += 1
            return counts.equal += 1
        }
        counts.updated += 1
        try body(.updated(address, object: object, metadata: metadata))
    }
}

// MARK: Views

extension FileComparison {
    /// The most rows of one group that are compared one by one: eight bytes and more for each.
    private static let groupLimit = 8_000_000

    private mutating func compareView(_ view: String, _ body: (FileDifference) throws -> Void) throws {
        let (old, new) = (try first.pages(ofView: view), try second.pages(ofView: view))
        for sentence in old.damage + new.damage { notes.append("View \"\(view)\": \(sentence)") }
        for name in Set(old.groups.map(\.name) + new.groups.map(\.name)).sorted(by: { $0.precedes($1) }) {
            switch (old.group(name), new.group(name)) {
            case (let one?, let other?): try compareGroup(one, other, view, body)
            case (let one?, nil): try note(.group(name, view: view, isNew: false, count: one.count), body)
            case (nil, let other?): try note(.group(name, view: view, isNew: true, count: other.count), body)
            default: break
            }
        }
    }

    private mutating func compareGroup(
        _ old: ViewPageList.Group, _ new: ViewPageList.Group, _ view: String,
        _ body: (FileDifference) throws -> Void
    ) throws {
        guard ids.isComplete, max(old.count, new.count) <= Self.groupLimit else {
            notes.append("View \"\(view)\", group \"\(old.name)\": too many rows to compare their places.")
            return
        }
        let before = try rowids(first, old, view)
        let rowids = try rowids(second, new, view)
        let after = rowids.map(ids.identity)
        if before == after { return }
        guard let change = GroupChange(from: before, to: after) else {
            notes.append("View \"\(view)\", group \"\(old.name)\": a row is in it twice, so places were not compared.")
            return
        }
        let (leaving, coming) = change.places
        let newPlaces = Dictionary(coming.map { (after[$0], $0) }) { $1 }
        let oldPlaces = Dictionary(leaving.map { (before[$0], $0) }) { $1 }
        for place in leaving {
            let address = try first.work { try first.keyRow(before[place], $0).address }
            let target = newPlaces[before[place]]
            try note(
                .place(PlaceDifference(view: view, group: old.name, address: address, before: place, after: target)),
                body)
        }
        for place in coming where oldPlaces[after[place]] == nil {
            let address = try second.work { try second.keyRow(rowids[place], $0).address }
            try note(
                .place(PlaceDifference(view: view, group: old.name, address: address, before: nil, after: place)), body)
        }
    }

    private func rowids(_ snapshot: FileSnapshot, _ group: ViewPageList.Group, _ view: String) throws -> [Int64] {
        let source = snapshot.order(of: group, inView: view)
        var rowids: [Int64] = []
        let portion = 10_000
        for start in stride(from: 0, to: group.count, by: portion) {
            rowids += try snapshot.work { try source.rowids(in: start..<min(start + portion, group.count), $0) }
        }
        return rowids
    }
}

/// Which rows of two files are the same, by rowid. Nearly always the rowids are the same too, so only exceptions take memory.
private struct RowIdentities {
    private var exceptions: [Int64: Int64] = [:]
    private var nextNew = Int64.min
    /// Whether all exceptions are known.
    private(set) var isComplete = true
    private static let limit = 2_000_000

    /// A row of both files.
    mutating func add(_ old: Int64, _ new: Int64) { if old != new { set(new, old) } }

    /// A row of the second file alone, whose rowid may be another row's in the first.
    mutating func addNew(_ rowid: Int64) {
        set(rowid, nextNew)
        nextNew += 1
    }

    private mutating func set(_ rowid: Int64, _ identity: Int64) {
        guard exceptions.count < Self.limit else { return isComplete = false }
        exceptions[rowid] = identity
    }

    /// The rowid in the first file of a row of the second.
    func identity(_ rowid: Int64) -> Int64 { exceptions[rowid] ?? rowid }
}
