import Dispatch
import FileReading
import ListChanges
import TerminalScreen
import YapDatabase

extension BrowseRequest {
    /// Prints every change of a list until the program is ended.
    func follow(_ subject: ListSubject, _ file: BrowsedFile, _ output: StandardOutput) throws {
        // The rows in reach are found while the state is held: once it is gone, what was shown of it cannot be determined.
        var (list, reach) = try file.readingAgain {
            let list = try openList(subject, file)
            return (list, try list.rowidsInReach())
        }
        try follow(file, output) {
            let lines = try takeCommits(file, list, reach: reach)
            reach = try list.rowidsInReach()
            return lines
        }
    }

    /// Prints every change of one row until the program is ended: also of one that is not there yet.
    func follow(
        _ addresses: [(collection: StoredText, key: StoredText)], _ file: BrowsedFile, _ output: StandardOutput
    ) throws {
        func isThere(_ address: (collection: StoredText, key: StoredText)) throws -> Bool {
            try file.snapshot.rowid(address.collection, address.key) != nil
        }
        var row = try file.readingAgain {
            let address = try addresses.first(where: isThere) ?? addresses[0]
            return try FollowedRow(address.collection, address.key, file.snapshot)
        }
        try follow(file, output) {
            guard let advance = try file.step().prepare() else { return [] }
            _ = file.advance(advance, lists: [])
            return try row.advance(to: file.snapshot).map { [$0] } ?? []
        }
    }

    /// Prints lines whenever the file has changed.
    /// - Parameter takeCommits: goes on to the newest state and returns the lines.
    private func follow(
        _ file: BrowsedFile, _ output: StandardOutput, _ takeCommits: () throws -> [[UInt8]]
    ) throws {
        let commits = DispatchSemaphore(value: 0)
        let following = try Following(file.snapshot) { commits.signal() }
        var (pause, tolerance) = (Self.shortestPause, RewriteTolerance())
        while true {
            commits.wait()
            let start = ContinuousClock.now
            let lines: [[UInt8]]
            do {
                lines = try takeCommits()
                pause = Self.shortestPause
                tolerance = RewriteTolerance()
            } catch let error as YapDatabaseError where tolerance.isPassing(error, of: file.path) {
                // The whole file is being rewritten, by VACUUM for example. It is looked at again, and what has changed is still known.
                following.look(at: file.snapshot, after: pause, patience: 0)
                pause = min(2 * pause, Self.longestPause)
                continue
            }
            // During a stream of commits this takes a quarter of the time.
            let work = (ContinuousClock.now - start).components
            let seconds = Double(work.seconds) + Double(work.attoseconds) / 1e18
            // Before printing, which may block on the reader of the output.
            following.look(at: file.snapshot, after: min(1, 3 * seconds), patience: 0)
            for line in lines { try output.write(line) }
            // The reader of the output should get a change when it happens.
            try output.flush()
        }
    }

    /// Seconds between two looks at a file that is being rewritten.
    private static let (shortestPause, longestPause) = (0.02, 1.0)

    /// Opens the list in the state in which following begins.
    private func openList(_ subject: ListSubject, _ file: BrowsedFile) throws -> BrowsedList {
        let content = try ListContent(subject, file.snapshot, catalog: file.snapshot.catalog())
        try content.loadAll()
        let list = BrowsedList(content)
        selection.apply(to: &list.mappings, groups: content.groups)
        list.refresh()
        return list
    }

    /// Advances to the newest commit; returns the changes of the list as lines.
    private func takeCommits(_ file: BrowsedFile, _ list: BrowsedList, reach: [Int64]) throws -> [[UInt8]] {
        guard let advance = try file.step(lists: [(list, reach)]).prepare() else { return [] }
        let (content, mappings) = (list.content, list.mappings)
        let outcome = file.advance(advance, lists: [list])[0]
        let report = ChangeReport(list, before: content, mappingsBefore: mappings)
        do {
            return try report.lines(outcome)
        } catch let error as YapDatabaseError where error.code == .reloadNeeded {
            return try report.lines(.reload)
        }
    }
}

extension BrowsedList {
    /// Returns the rows whose content is compared from commit to commit, and keeps their keys; none if the state before
    /// is gone.
    fileprivate func rowidsInReach() throws -> [Int64] {
        do {
            let rowids = try shownRowids()
            try content.keepKeys(of: rowids)
            return rowids
        } catch let error as YapDatabaseError where error.code == .reloadNeeded {
            return []
        }
    }

    private func shownRowids() throws -> [Int64] {
        var rowids: [Int64] = []
        for section in 0..<mappings.numberOfSections {
            for row in 0..<mappings.numberOfItems(inSection: section) {
                if rowids.count == FileStep.reachLimit { return rowids }
                if let rowid = try rowid(at: RowPath(section: section, row: row)) { rowids.append(rowid) }
            }
        }
        return rowids
    }
}
