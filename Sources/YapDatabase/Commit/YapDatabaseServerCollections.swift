import Foundation

/// The collections that a file has of a space. Names are compared by their bytes, so `é` in another Unicode form is another collection.
public enum YapDatabaseServerCollections: Hashable, Sendable {
    /// Every collection.
    case all
    /// These collections.
    case only(Set<String>)
    /// All but these, which stay in the file alone.
    case allExcept(Set<String>)

    /// Whether the file has this collection of the space. A space has no derived rows: each file derives them itself.
    public func contains(_ collection: String) -> Bool {
        if RowTable.isDerived(collection) { return false }
        return switch self {
        case .all: true
        case .only(let names): names.hasBytes(of: collection)
        case .allExcept(let names): !names.hasBytes(of: collection)
        }
    }
}

extension Set<String> {
    /// Whether a member has the same bytes. To Swift, texts that differ in their Unicode form alone are equal.
    fileprivate func hasBytes(of name: String) -> Bool {
        firstIndex(of: name).map { self[$0].hasSameBytes(as: name) } ?? false
    }
}

extension YapDatabaseServerCollections {
    /// A line that tells one choice from every other.
    package var line: String {
        func list(_ names: Set<String>) -> String {
            names.sorted().map { Data($0.utf8).base64EncodedString() }.joined(separator: ",")
        }
        return switch self {
        case .all: "all"
        case .only(let names): "only " + list(names)
        case .allExcept(let names): "except " + list(names)
        }
    }

    package init?(line: String) {
        guard line != "all" else {
            self = .all
            return
        }
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        var names: Set<String> = []
        for part in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            guard let data = Data(base64Encoded: String(part)), let name = String(validating: data, as: UTF8.self)
            else {
                return nil
            }
            names.insert(name)
        }
        switch parts[0] {
        case "only": self = .only(names)
        case "except": self = .allExcept(names)
        default: return nil
        }
    }
}
