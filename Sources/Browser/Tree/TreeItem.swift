import FileReading

/// An item of a file with its own line in the tree. Two are equal if their names have the same bytes, as SQLite compares them.
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
    case table(String)
    case smallValues
    /// A fact about the file, by its name.
    case fact(String)
    /// A sentence about the file or about the part of the tree above.
    case note(String)
}

extension TreeItem {
    private var identity: NamedIdentity {
        switch self {
        case .collection(let name): NamedIdentity(0, collection: name)
        case .view(let name): NamedIdentity(1, [name])
        case .group(let view, let name): NamedIdentity(2, [view, name])
        case .index(let name): NamedIdentity(3, [name])
        case .column(let index, let name): NamedIdentity(4, [index, name])
        case .fullText(let name): NamedIdentity(5, [name])
        case .relationship(let name): NamedIdentity(6, [name])
        case .rTree(let name): NamedIdentity(7, [name])
        case .bound(let rTree, let name): NamedIdentity(8, [rTree, name])
        case .other(let name): NamedIdentity(9, [name])
        case .table(let name): NamedIdentity(10, [name])
        case .smallValues: NamedIdentity(11)
        case .fact(let name): NamedIdentity(12, [name])
        case .note(let sentence): NamedIdentity(13, [sentence])
        }
    }

    static func == (one: TreeItem, other: TreeItem) -> Bool { one.identity == other.identity }

    func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension TreeItem {
    /// Returns the item's list; nil if it has no rows.
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
        case .table(let name): .table(name)
        case .rTree(let name), .bound(let name, _): .rTree(name)
        case .other, .fact, .note: nil
        }
    }

    /// The item above it that can be folded, if it is part of one.
    var parent: TreeItem? {
        switch self {
        case .group(let view, _): .view(view)
        case .column(let index, _): .index(index)
        case .bound(let rTree, _): .rTree(rTree)
        default: nil
        }
    }
}
