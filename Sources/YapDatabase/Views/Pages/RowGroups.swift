import FileEngine
import ListChanges
import ViewPageKeys

/// Finds the groups of many rows of a view, while nothing changes it.
///
/// The map of the view is read in step with rows whose rowids ascend, and the group of a page is looked up once: a quarter of a microsecond a
/// row, where ``ViewPages/group(ofRowid:)`` takes one.
final class RowGroups {
    private let pages: ViewPages
    /// Nil for a view whose map is in memory, or has changes that are not stored yet.
    private let map: MapReader?
    private var numbers: [PageName: Int] = [:]
    private var numbersOfNames = ExactDictionary<Int>()
    /// The groups that were found, by their numbers.
    private(set) var names: [String] = []

    init(_ pages: ViewPages) throws {
        self.pages = pages
        let isStored = pages.isPersistent && !pages.isCleared && pages.mapChanges.isEmpty
        map = isStored ? try pages.store.mapReader(view: pages.name) : nil
    }

    /// The number of the group of a row; nil if it is not in the view.
    func number(ofRowid rowid: Int64) throws -> Int? {
        let found = if let map { try map.page(ofRowid: rowid) } else { try pages.page(ofRowid: rowid) }
        guard let page = found else { return nil }
        if let number = numbers[page] { return number }
        let name = try pages.group(ofPage: page, withRow: rowid)
        let number = numbersOfNames[name] ?? names.count
        if number == names.count {
            names.append(name)
            numbersOfNames[name] = number
        }
        numbers[page] = number
        return number
    }
}
