import FileEngine

/// A file to export: as SQLite reads it, or if that cannot, as its pages are.
package struct ExportSource {
    private let path: String
    private let file: BrowsedFile?
    private let note: (String) -> Void

    /// - Parameter note: called with each sentence about what is unusual.
    /// - Throws: as ``BrowsedFile/init(path:)``, if no page has rows either.
    package init(_ path: String, note: @escaping (String) -> Void) throws {
        self.path = path
        self.note = note
        do {
            file = try BrowsedFile(path: path)
        } catch let error as YapDatabaseError where Self.mayBeSalvaged(error) {
            guard SalvagedFile.hasRows(path) else { throw error }
            note("\(error.message) Its rows are looked for on its pages.")
            file = nil
        }
        for sentence in file?.notes ?? [] { note(sentence) }
    }

    private static func mayBeSalvaged(_ error: YapDatabaseError) -> Bool {
        [.notADatabase, .corrupt, .sqlite].contains(error.code)
    }

    /// As ``FileExport/report(isCancelled:_:)``.
    /// - Parameters:
    ///   - hasMeaning: whether the lines of rows have their decoded values too.
    ///   - checksKeys: whether rows are left out that the index of the keys does not name.
    package func report(
        isCancelled: @escaping @Sendable () -> Bool = { false }, hasMeaning: Bool = true, checksKeys: Bool = false,
        _ write: (_ table: String?, _ lines: [UInt8]) throws -> Void
    ) throws -> ExportReport {
        guard let file else {
            guard let report = try salvaged(isCancelled, hasMeaning, write) else {
                throw YapDatabaseError(.reloadNeeded, "\(path) changed while it was read. Try again.")
            }
            return report
        }
        var hasWritten = false
        do {
            let export = FileExport(file, hasMeaning: hasMeaning, checksKeys: checksKeys)
            return try export.report(isCancelled: isCancelled) {
                hasWritten = true
                try write($0, $1)
            }
        } catch let error as YapDatabaseError where Self.mayBeSalvaged(error) && !hasWritten {
            guard let report = try salvaged(isCancelled, hasMeaning, write) else { throw error }
            note("\(error.message) Its rows were looked for on its pages.")
            return report
        }
    }

    private func salvaged(
        _ isCancelled: @escaping @Sendable () -> Bool, _ hasMeaning: Bool, _ write: (String?, [UInt8]) throws -> Void
    ) throws -> ExportReport? {
        try SalvagedFile(path)?.report(isCancelled: isCancelled, hasMeaning: hasMeaning, write)
    }
}
