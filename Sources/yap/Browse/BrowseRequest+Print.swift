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
        case .row(let addresses):
            if isFollowing { try follow(addresses, file, output) } else { try note(printRow(addresses, file, output)) }
        case .search(let text, let collection, let isKeysOnly):
            let search = FileSearch(text, collection: collection, isKeysOnly: isKeysOnly)
            let (found, isPartial) = try printFound(search, file, output)
            note(isPartial)
            if found == 0, code == ExitCode.good {
                printError(
                    file.snapshot.schema.rows == nil
                        ? "Only the rows of a YapDatabase are searched, and this file has none. \(Self.searchOfTables)"
                        : "The text was not found in what was searched.")
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
        let isPartial =
            if let counted = filter.countBy {
                try printCounts(of: counted, content, output)
            } else if let columns = filter.columns {
                try printColumns(columns, of: content, output)
            } else {
                try printWhole(content, isOfView: subject.isView, output)
            }
        if let loss = content.loss { printError(loss) }
        if content.isCut { printError("The list is too long: its end is not shown.") }
        // Rows in another order than requested count as an incomplete answer.
        return isPartial || !content.damage.isEmpty || content.loss != nil || content.isCut
            || content.subject != subject
    }

    private func printWhole(_ content: ListContent, isOfView: Bool, _ output: StandardOutput) throws -> Bool {
        let decoder = RowDecoder()
        var remarks: ExpressionRemarks?
        let isPartial = try printing(isGrouped: isOfView, columns: content.ownColumns, output) { printer in
            remarks = try enumerate(content, output, flush: printer.flush) { stop in
                try printer.print(
                    ListedRow(
                        stop.row, group: isOfView ? stop.group : nil, index: isOfView ? stop.index : nil,
                        decoder: decoder))
            }
        }
        let isFiltered = say(remarks)
        return isPartial || isFiltered
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
            let catalog = try snapshot.catalog()
            // The places of a row in its groups need the pages of its views.
            let views = try snapshot.places(of: rowid, in: catalog).map(\.view)
            let pages = try Dictionary(
                views.map { ($0, try snapshot.pages(ofView: $0)) }, uniquingKeysWith: { first, _ in first })
            let membership = try RowMembership(rowid, snapshot, catalog, pages: pages)
            for problem in membership.problems { printError(problem) }
            return membership.json()
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

    /// Calls a closure with a printer for rows. Rows added before an error are printed too.
    /// - Returns: whether a mark was printed for something missing.
    func printing(
        isGrouped: Bool, columns: OwnColumns? = nil, _ output: StandardOutput, _ body: (RowPrinter) throws -> Void
    ) throws -> Bool {
        let printer = RowPrinter(format, isGrouped: isGrouped, isForTerminal: output.isTerminal, columns: columns) {
            try output.write($0)
        }
        try printer.begin()
        let result = Result { try body(printer) }
        if case .failure = result { try? printer.end() } else { try printer.end() }
        try result.get()
        return printer.isPartial
    }
}
