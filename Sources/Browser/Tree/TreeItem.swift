import FileReading

/// Something of a file that the tree shows on a line of its own.
enum TreeItem: Hashable, Sendable {
    case collection(StoredText)
    case view(String)
    case group(view: String, name: String)
    case index(String)
    case column(index: String, name: String)
    case fullText(String)
    case relationship(String)
    case rTree(String)
    /// A bound of the boxes of an R-tree.
    case bound(rTree: String, name: String)
    case other(String)
    case smallValues
    /// Something to be known of the file, by its name.
    case fact(String)
    /// A sentence about the file or about the part of the tree above.
    case note(String)
}

extension TreeItem {
    /// The list that belongs to it; nil for what has no rows.
    func subject(by order: ListSubject.RowOrder) -> ListSubject? {
        switch self {
        case .collection(let name): .collection(name, by: order)
        case .view(let name): .view(name, groups: nil)
        case .group(let view, let name): .view(view, groups: [name])
        case .index(let name): .index(name, by: nil)
        case .column(let index, let name): .index(index, by: name)
        case .fullText(let name): .fullText(name, matching: nil)
        case .relationship(let name): .relationship(name)
        case .smallValues: .smallValues
        case .rTree(let name), .bound(let name, _): .rTree(name)
        case .other, .fact, .note: nil
        }
    }

    /// What stands above it where it is part of something that can be folded.
    var parent: TreeItem? {
        switch self {
        case .group(let view, _): .view(view)
        case .column(let index, _): .index(index)
        case .bound(let rTree, _): .rTree(rTree)
        default: nil
        }
    }
}
