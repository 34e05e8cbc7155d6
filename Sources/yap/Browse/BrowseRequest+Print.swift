import FileReading
import YapDatabase

extension BrowseRequest {
    /// Prints what is requested.
    /// - Returns: the exit code.
    func print(_ file: BrowsedFile, to output: StandardOutput) throws -> Int32 {
        var code = file.isPartial ? ExitCode.partial : ExitCode.good
        func note(_ isPartial: Bool) { if isPartial { code = ExitCode.partial } }
        switch subject {
        case .listing:
            let listing = try FileListing(file)
            try output.write(listing.text(format, isForTerminal: output.isTerminal))
            // The file's own were printed when it was opened.
            for sentence in listing.notes.dropFirst(file.notes.count) { printError(sentence) }
            note(listing.isPartial)
        case .rows(let subject):
            if isFollowing { try follow(subject, file, output) } else { try note(printRows(subject, file, output)) }
        case .row(let addresses): try note(printRow(addresses, file, output))
        case .search(let text, let collection, let isKeysOnly):
            let search = FileSearch(text, collection: collection, isKeysOnly: isKeysOnly)
            let (found, isPartial) = try printFound(search, file, output)
            note(isPartial)
            if found == 0, code == ExitCode.good {
                printError("The text was not found in what was searched.")
                return ExitCode.failed
            }
        }
        return code
    }

    /// Prints rows.
    /// - Returns: whether something is missing.
    private func printRows(_ subject: ListSubject, _ file: BrowsedFile, _ output: StandardOutput) throws -> Bool {
        let content = try content(subject, file.snapshot)
        for sentence in content.damage { printError(sentence) }
        if let counted = filter.countBy { return try printCounts(of: counted, content, output) }
        if let columns = filter.columns { return try printColumns(columns, of: content, output) }
        let decoder = RowDecoder()
        let isPartial = try printing(isGrouped: subject.isView, output) { printer in
            try enumerate(content, output, flush: printer.flush) { stop in
                try printer.print(
                    ListedRow(
                        stop.row, group: subject.isView ? stop.group : nil, index: subject.isView ? stop.index : nil,
                        decoder: decoder))
            }
        }
        if let loss = content.loss { printError(loss) }
        if content.isCut { printError("The list is too long: its end is not shown.") }
        // Rows in another order than requested count as an incomplete answer.
        return isPartial || !content.damage.isEmpty || content.loss != nil || content.isCut
            || content.subject != subject
    }

    /// Returns the list, ordered by rowid if its order by keys is damaged: the rows themselves may still be readable.
    private func content(_ subject: ListSubject, _ snapshot: FileSnapshot) throws -> ListContent {
        let catalog = try snapshot.catalog()
        do {
            return try ListContent(subject, snapshot, catalog: catalog)
        } catch let error as YapDatabaseError where error.isDamage {
            guard case .collection(let name, by: .key) = subject else { throw error }
            printError("The order of the keys cannot be read: the rows are ordered by rowid.")
            return try ListContent(.collection(name, by: .rowid), snapshot, catalog: catalog)
        }
    }

    private func printRow(
        _ addresses: [(collection: StoredText, key: StoredText)], _ file: BrowsedFile, _ output: StandardOutput
    ) throws -> Bool {
        for address in addresses {
            guard let rowid = try file.snapshot.rowid(address.collection, address.key) else { continue }
            let row = try file.snapshot.row(rowid, valueBytes: FileSnapshot.wholeValues)
            if isRaw { return try printRaw(row, output) }
            var listed = ListedRow(row, decoder: RowDecoder())
            if format == .json { listed.membership = membership(of: rowid, file.snapshot) }
            return try printing(isGrouped: false, output) { try $0.print(listed) }
        }
        throw try missing(addresses[0].collection, addresses[0].key, file.snapshot)
    }

    /// Says what it cannot find out because of damage.
    private func membership(of rowid: Int64, _ snapshot: FileSnapshot) -> [UInt8]? {
        do {
            return try RowMembership(rowid, snapshot).json()
        } catch {
            printError("What the row is in cannot be read: \(sentence(error))")
            return nil
        }
    }

    /// Writes the bytes of a row's object as they are stored.
    private func printRaw(_ row: BrowsedRow, _ output: StandardOutput) throws -> Bool {
        if let error = row.error { throw Failure(error) }
        guard let object = row.object, object.content != .null else { throw Failure("The row has no object.") }
        try output.write(object.bytes ?? Array(object.text.utf8))
        return false
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

    private func printFound(_ search: FileSearch, _ file: BrowsedFile, _ output: StandardOutput) throws
        -> (found: Int, isPartial: Bool)
    {
        if let collection = search.collection { try file.snapshot.catalog().checkCollection(collection) }
        let line = StatusLine(after: .milliseconds(200), every: .milliseconds(200))
        defer { line.clear() }
        let snapshot = file.snapshot
        var done = FileSearch.Progress()
        let isPartial = try printing(isGrouped: false, output) { printer in
            try search.run(
                in: snapshot,
                progress: {
                    done = $0
                    // The reader of the output should get a match when it is found.
                    try printer.flush()
                    try output.flush()
                    line.show("\(RowCount($0.searched)) rows searched, \(RowCount($0.found)) found …")
                    return true
                }
            ) { rowid, store in
                let row = try snapshot.row(rowid, valueBytes: FileSnapshot.wholeValues, store)
                line.clear()
                try printer.print(ListedRow(row, decoder: search.decoder))
            }
        }
        line.clear()
        if done.unreadable > 0 {
            printError("\(RowCount(done.unreadable)) rows could not be read: only their keys were searched.")
        }
        if let damage = done.damage { printError("Some rows may not have been searched. \(damage)") }
        return (done.found, isPartial || done.unreadable > 0 || done.damage != nil)
    }

    /// Calls a closure with a printer for rows. Rows added before an error are printed too.
    /// - Returns: whether a mark was printed for something missing.
    private func printing(
        isGrouped: Bool, _ output: StandardOutput, _ body: (RowPrinter) throws -> Void
    ) throws -> Bool {
        let printer = RowPrinter(format, isGrouped: isGrouped, isForTerminal: output.isTerminal) {
            try output.write($0)
        }
        try printer.begin()
        let result = Result { try body(printer) }
        if case .failure = result { try? printer.end() } else { try printer.end() }
        try result.get()
        return printer.isPartial
    }
}
