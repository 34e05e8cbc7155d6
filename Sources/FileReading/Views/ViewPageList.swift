import FileEngine
import ListChanges

/// The groups of a view and the pages of each, in one state of the file: everything but the rows themselves.
///
/// Takes about 12 bytes a page.
package struct ViewPageList: Sendable {
    /// One group, with its pages in order.
    package struct Group: Sendable {
        package let name: String
        /// The rowids of the pages in the page table.
        var pages: [Int64] = []
        /// The number of rows up to the end of each page.
        var ends: [Int] = []

        package var count: Int { ends.last ?? 0 }

        mutating func append(page: Int64, count: Int) {
            pages.append(page)
            ends.append(self.count + count)
        }

        /// Returns the page that holds a place, and the place at which it begins.
        func page(at place: Int) -> (index: Int, start: Int) {
            let index = ends.partition { $0 <= place }
            return (index, index == 0 ? 0 : ends[index - 1])
        }
    }

    package let view: String
    /// In the order of their names.
    package internal(set) var groups: [Group] = []
    /// The first few damages, in sentences. `groups` has what could be read nevertheless.
    package internal(set) var damage: [String] = []
    private static let damageLimit = 20

    init(view: String) { self.view = view }

    package func group(_ name: String) -> Group? {
        let index = groups.partition { $0.name.precedes(name) }
        return index < groups.count && groups[index].name.hasSameBytes(as: name) ? groups[index] : nil
    }

    mutating func damaged(_ sentence: String) {
        if damage.count < Self.damageLimit { damage.append(sentence) }
    }
}
