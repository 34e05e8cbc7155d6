import FileEngine

/// The groups of a view and the pages of each, as one state of the file has them: everything but the rows themselves.
///
/// About 12 bytes a page are kept.
package struct ViewPageList: Sendable {
    /// One group, with its pages in order.
    package struct Group: Sendable {
        package let name: String
        /// The rows of the page table.
        var pages: [Int64] = []
        /// How many rows there are up to the end of each page.
        var ends: [Int] = []

        package var count: Int { ends.last ?? 0 }

        mutating func append(page: Int64, count: Int) {
            pages.append(page)
            ends.append(self.count + count)
        }

        /// The page that holds a place, and where it begins.
        func page(at place: Int) -> (index: Int, start: Int) {
            let index = ends.partition { $0 <= place }
            return (index, index == 0 ? 0 : ends[index - 1])
        }
    }

    package let view: String
    /// In the order of their names.
    package internal(set) var groups: [Group] = []
    /// What is wrong, in sentences, the first few. What could be read is in `groups` nevertheless.
    package internal(set) var damage: [String] = []
    private static let damageLimit = 20

    init(view: String) { self.view = view }

    package func group(_ name: String) -> Group? {
        let index = groups.partition { $0.name < name }
        return index < groups.count && groups[index].name == name ? groups[index] : nil
    }

    mutating func damaged(_ sentence: String) {
        if damage.count < Self.damageLimit { damage.append(sentence) }
    }
}
