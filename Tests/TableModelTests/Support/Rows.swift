import ListChanges
import TableModel

/// A list as plain values, for showing in a table.
struct Rows: TableSource, Hashable {
    struct Row: Hashable {
        var key: String
        var text: String
        var height = 1

        init(_ key: String, _ text: String? = nil, height: Int = 1) {
            self.key = key
            self.text = text ?? key
            self.height = height
        }
    }

    struct Section: Hashable {
        var title: String
        var rows: [Row]

        init(_ title: String, _ rows: [Row]) {
            self.title = title
            self.rows = rows
        }
    }

    var sections: [Section]
    var hasHeaders = true
    var rangePosition: RangePosition?

    init(_ sections: [Section], hasHeaders: Bool = true) {
        self.sections = sections
        self.hasHeaders = hasHeaders
    }

    /// One section without a header, a row for each word.
    init(_ words: String) {
        self.init([Section("", words.split(separator: " ").map { Row(String($0)) })], hasHeaders: false)
    }

    var numberOfSections: Int { sections.count }
    func numberOfRows(in section: Int) -> Int { sections[section].rows.count }

    func header(of section: Int) -> SectionHeader? {
        hasHeaders ? SectionHeader(sections[section].title, detail: "\(sections[section].rows.count)") : nil
    }

    func key(at path: RowPath) -> RowKey { RowKey(collection: "", key: self[path].key) }

    func path(of key: RowKey) -> RowPath? {
        for (section, rows) in sections.enumerated() {
            if let row = rows.rows.firstIndex(where: { $0.key == key.key }) {
                return RowPath(section: section, row: row)
            }
        }
        return nil
    }

    func cell(at path: RowPath, width: Int) -> RowCell {
        let row = self[path]
        return RowCell((0..<row.height).map { Line(text: $0 == 0 ? row.text : "  \(row.text)+\($0)") })
    }

    subscript(path: RowPath) -> Row { sections[path.section].rows[path.row] }
}
