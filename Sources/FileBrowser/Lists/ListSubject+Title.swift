extension ListSubject {
    /// What it is called, and the name of its only group where it is no view.
    package var title: String {
        switch self {
        case .collection(let collection, _): collection.text
        case .view(let name, _), .index(let name, _), .fullText(let name, _), .relationship(let name), .rTree(let name):
            name
        case .smallValues: "yap2"
        }
    }

    /// Whether its rows have a group and a place in it.
    package var isView: Bool { if case .view = self { true } else { false } }
}
