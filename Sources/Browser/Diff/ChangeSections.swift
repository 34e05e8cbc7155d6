import FileReading
import ScreenPrograms

/// The changes on the screen, by collection and view: places in a ``ChangeStore``, in its order.
struct ChangeSections: Sendable {
    struct Section: Hashable, Sendable {
        var title: String
        var isView: Bool
        /// Its first place.
        var start: Int
        var count: Int
    }

    private(set) var all: [Section] = []
    /// The index in the store of each place.
    private var indexes: [Int32] = []

    var count: Int { indexes.count }

    mutating func append(_ index: Int, _ change: FileChange) {
        if let last = all.last, last.title == change.container, last.isView == change.isInView {
            all[all.count - 1].count += 1
        } else {
            all.append(
                Section(title: change.container, isView: change.isInView, start: indexes.count, count: 1))
        }
        indexes.append(Int32(index))
    }

    /// Returns the change at a place among all.
    func index(at place: Int) -> Int { Int(indexes[place]) }

    func place(of path: RowPath) -> Int? {
        guard all.indices.contains(path.section), (0..<all[path.section].count).contains(path.row) else { return nil }
        return all[path.section].start + path.row
    }

    func path(ofPlace place: Int) -> RowPath? {
        guard indexes.indices.contains(place) else { return nil }
        let section = all.indices.partitionPoint { all[$0].start > place } - 1
        return RowPath(section: section, row: place - all[section].start)
    }

    func path(ofIndex index: Int) -> RowPath? {
        let place = indexes.indices.partitionPoint { indexes[$0] >= index }
        return place < indexes.count && Int(indexes[place]) == index ? path(ofPlace: place) : nil
    }
}
