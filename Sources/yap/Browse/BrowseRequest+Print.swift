import FileBrowser
import YapDatabase

extension BrowseRequest {
    /// Prints what is asked for.
    func print(_ file: BrowsedFile, to output: StandardOutput) throws {
        switch subject {
        case .listing: try output.write(FileListing(file).text(format))
        case .rows(let subject):
            if isFollowing { try follow(subject, file, output) } else { try printRows(subject, file, output) }
        case .row(let addresses): try printRow(addresses, file, output)
        case .search(let text, let collection, let isKeysOnly):
            let search = RowSearch(text, collection: collection, isKeysOnly: isKeysOnly)
            try printFound(search, file, output)
        }
    }

    private func printRows(_ subject: ListSubject, _ file: BrowsedFile, _ output: StandardOutput) throws {
        let content = try content(subject, file.snapshot)
        for sentence in content.damage { printError(sentence) }
        let decoder = RowDecoder()
        try printing(isGrouped: subject.isView, output) { print in
            try content.enumerate(selection) { stop, store in
                let row = try content.row(stop.rowid, valueBytes: FileSnapshot.valueBytes, store)
                try print(
                    ListedRow(
                        row, group: subject.isView ? stop.group : nil, index: subject.isView ? stop.index : nil,
                        decoder: decoder))
            }
        }
        if let loss = content.loss { printError(loss) }
        if content.isCut { printError("The list is longer than what is held of it; its end is not shown.") }
    }

    /// The list, by rowids where its order by keys is damaged: the rows themselves may still be there.
    private func content(_ subject: ListSubject, _ snapshot: FileSnapshot) throws -> ListContent {
        let catalog = try snapshot.catalog()
        do {
            return try ListContent(subject, snapshot, catalog: catalog)
        } catch let error as YapDatabaseError where error.isDamage {
            guard case .collection(let name, by: .key) = subject else { throw error }
            printError("The order of the keys cannot be read: the rows come as they were stored.")
            return try ListContent(.collection(name, by: .rowid), snapshot, catalog: catalog)
        }
    }

    private func printRow(
        _ addresses: [(collection: StoredText, key: StoredText)], _ file: BrowsedFile, _ output: StandardOutput
    ) throws {
        for address in addresses {
            guard let rowid = try file.snapshot.rowid(address.collection, address.key) else { continue }
            let row = try file.snapshot.row(rowid)
            return try printing(isGrouped: false, output) { try $0(ListedRow(row, decoder: RowDecoder())) }
        }
        throw try missing(addresses[0].collection, addresses[0].key, file.snapshot)
    }

    private func missing(_ collection: StoredText, _ key: StoredText, _ snapshot: FileSnapshot) throws
        -> YapDatabaseError
    {
        let catalog = try snapshot.catalog()
        if collection.bytes.isEmpty, !catalog.collections.contains(collection) {
            return YapDatabaseError(
                .badExtension, "There is no row \"\(key)\" without a collection. A row is named as COLLECTION/KEY.")
        }
        guard catalog.collections.contains(collection) else {
            return Catalog.missing(collection.text, "collection", there: catalog.collections.map(\.text))
        }
        return YapDatabaseError(.badExtension, "There is no key \"\(key)\" in the collection \"\(collection)\".")
    }

    private func printFound(_ search: RowSearch, _ file: BrowsedFile, _ output: StandardOutput) throws {
        if let collection = search.collection { try file.snapshot.catalog().checkCollection(collection) }
        let line = StatusLine(after: .milliseconds(200), every: .milliseconds(200))
        defer { line.clear() }
        let snapshot = file.snapshot
        var done = RowSearch.Progress()
        try printing(isGrouped: false, output) { print in
            try search.run(
                in: snapshot,
                progress: {
                    done = $0
                    // Whoever reads on is to see a match when it is found.
                    try output.flush()
                    line.show("\(RowCount($0.searched)) rows searched, \(RowCount($0.found)) found …")
                    return true
                }
            ) { rowid, store in
                let row = try snapshot.row(rowid, valueBytes: FileSnapshot.valueBytes, store)
                line.clear()
                try print(ListedRow(row, decoder: search.decoder))
            }
        }
        line.clear()
        if done.unreadable > 0 {
            printError("\(RowCount(done.unreadable)) rows could not be read: only their keys were searched.")
        }
        if let damage = done.damage { printError("Some rows may not have been searched. \(damage)") }
    }

    /// Lends a function that prints rows one after the other.
    private func printing(
        isGrouped: Bool, _ output: StandardOutput, _ body: ((ListedRow) throws -> Void) throws -> Void
    ) throws {
        var printer = RowPrinter(format, isGrouped: isGrouped) { try output.write($0) }
        try printer.begin()
        try body { try printer.print($0) }
        try printer.end()
    }
}
