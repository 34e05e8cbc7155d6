import FileReading
import ScreenPrograms

/// Gives a table the rows of a list. Keeps what was read and decoded while it is near the screen.
final class ListSource: TableSource {
    /// The most rows whose texts are kept.
    private static let textLimit = 2_000

    let list: BrowsedList
    var columns: ListColumns {
        didSet { if columns.paths != oldValue.paths { (texts, large) = ([:], [:]) } }
    }
    var decoder: RowDecoder { didSet { (texts, large) = ([:], [:]) } }
    var pattern: SearchPattern?
    var marked: Set<Int64> = []
    var theme: Theme
    private var texts: [Int64: RowTexts] = [:]
    /// The texts of rows with large values, which are read in the background, and the rows that wait for that.
    private var large: [Int64: RowTexts] = [:]
    private var wanted: [Int64] = []
    /// The most rows that wait: those asked for last.
    private static let wantedLimit = 100
    /// Whether a row read since has widened a column, so that the others must be redrawn.
    var hasWidened = false
    /// The first error since `takeError()` was last called.
    private var error: (any Error)?

    init(_ list: BrowsedList, _ columns: ListColumns, _ decoder: RowDecoder, theme: Theme) {
        self.list = list
        self.columns = columns
        self.decoder = decoder
        self.theme = theme
    }

    var numberOfSections: Int { list.mappings.numberOfSections }
    func numberOfRows(in section: Int) -> Int { list.mappings.numberOfItems(inSection: section) }

    /// Returns a header if the list has several groups of a view.
    func header(of section: Int) -> SectionHeader? {
        guard case .view(_, let groups) = list.subject, groups?.count != 1,
            let group = list.mappings.group(forSection: section)
        else { return nil }
        return SectionHeader(group.asName, detail: list.count(inGroup: group).description, isVerbatim: true)
    }

    func key(at path: RowPath) -> RowKey {
        attempt { try list.rowKey(at: path) } ?? RowKey(collection: "no row", key: "\(path)")
    }

    func path(of key: RowKey) -> RowPath? { attempt { try list.path(of: key) } }

    func cell(at path: RowPath, width: Int) -> RowCell {
        guard let row = texts(at: path) else { return RowCell([Line(text: "…", theme.secondary)]) }
        let sign = marked.contains(row.rowid) ? (theme.unicode == .ascii ? "* " : "● ") : ""
        let mark = Run(sign, Style(theme.accent))
        let room = width - sign.count
        if let error = row.error, row.isMissing {
            return RowCell([[mark, Run(TextMeasure(theme.unicode).truncated(error, to: room), theme.wrong)]])
        }
        return RowCell([[mark] + columns.line(row, width: room, theme: theme, pattern: pattern)])
    }

    var rangePosition: RangePosition? {
        guard list.mappings.numberOfSections == 1, let group = list.mappings.group(forSection: 0) else { return nil }
        return list.mappings.rangePosition(forGroup: group)
    }

    /// Returns the texts of the columns of the row at a path; nil if it cannot be found.
    func texts(at path: RowPath) -> RowTexts? {
        guard let rowid = attempt({ try list.rowid(at: path) }) else { return nil }
        if let known = texts[rowid] { return known }
        let row = attempt {
            try list.snapshot.read { try list.content.row(rowid, valueBytes: RowTexts.valueBytes, $0) }
        }
        guard let row else { return nil }
        list.content.keepKey(of: row)
        if texts.count >= Self.textLimit { texts = [:] }
        let made = texts(of: row)
        texts[rowid] = made
        if columns.widen(for: made) { hasWidened = true }
        return made
    }

    /// A value that is too large for a line at once is shown as it was before, until it is read.
    private func texts(of row: BrowsedRow) -> RowTexts {
        let made = RowTexts(row, decoder, paths: columns.paths)
        guard made.isLarge else { return made }
        wanted.append(row.rowid)
        if wanted.count > Self.wantedLimit { wanted.removeFirst() }
        return large[row.rowid].flatMap { $0.size == made.size ? $0 : nil } ?? made
    }

    /// Returns the rows whose values are to be read, and forgets them.
    func takeWanted() -> [Int64] {
        defer { wanted = [] }
        return wanted
    }

    /// Has rows read, after those that were asked for since.
    func want(_ rowids: [Int64]) { wanted = Array((rowids + wanted).suffix(Self.wantedLimit)) }

    /// Takes over the texts of a row that was read in the background.
    func take(_ made: RowTexts) {
        if large.count >= Self.textLimit { large = [:] }
        large[made.rowid] = made
        guard texts[made.rowid] != nil else { return }
        texts[made.rowid] = made
        if columns.widen(for: made) { hasWidened = true }
    }

    /// Chooses columns again from the first rows, for example after a change of format.
    func chooseColumns() {
        let sample = (0..<min(40, numberOfSections > 0 ? numberOfRows(in: 0) : 0)).compactMap {
            texts(at: RowPath(section: 0, row: $0))
        }
        let paths = columns.paths
        columns = ListColumns(list.subject, sample: sample)
        for path in paths { columns = columns.adding(path) }
    }

    /// Drops cached texts: the rows may have changed.
    func forget() { texts = [:] }

    var hasError: Bool { error != nil }

    /// Returns and clears the first error since the last call: an error cannot interrupt a layout.
    func takeError() -> (any Error)? {
        defer { error = nil }
        return error
    }

    private func attempt<T>(_ read: () throws -> T?) -> T? {
        do {
            return try read()
        } catch {
            self.error = self.error ?? error
            return nil
        }
    }
}
