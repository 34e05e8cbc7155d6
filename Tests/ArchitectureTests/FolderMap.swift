/// Which folders of a target name types of which others.
///
/// It goes by the names of types alone: an extension uses the type that it extends, and a member that it adds to a type
/// of another folder is not followed.
struct FolderMap {
    /// A file that names a type of another folder.
    struct Use: Hashable, Comparable {
        let file: String
        let type: String

        static func < (a: Use, b: Use) -> Bool { (a.file, a.type) < (b.file, b.type) }
    }

    /// Two folders, in the order of their names: `Animate, Table`.
    struct Pair: Hashable, Comparable, CustomStringConvertible {
        let first: String
        let second: String

        init(_ a: String, _ b: String) { (first, second) = a < b ? (a, b) : (b, a) }

        var description: String { "\(first), \(second)" }

        static func < (a: Pair, b: Pair) -> Bool { (a.first, a.second) < (b.first, b.second) }
    }

    /// By the folder that uses and the one that is used.
    private(set) var uses: [String: [String: Set<Use>]] = [:]
    /// Files that were not understood.
    private(set) var unread: [String] = []

    /// - Parameter files: the text of each file, by its path below the target's folder.
    init(_ files: [String: String]) {
        let names = files.mapValues { SwiftNames($0) }
        unread = names.filter { !$0.value.isBalanced }.keys.sorted()
        var home: [String: String] = [:]
        var own: [String: Set<String>] = [:]
        for (file, names) in names {
            let folder = Self.folder(of: file)
            for type in names.declared { home[type] = folder }
            // A type inside another one hides a type of its name in another folder.
            own[folder, default: []].formUnion(names.declaredInside)
        }
        for (file, names) in names {
            let folder = Self.folder(of: file)
            for type in names.used where !own[folder, default: []].contains(type) {
                guard let other = home[type] else { continue }
                uses[folder, default: [:]][other, default: []].insert(Use(file: file, type: type))
            }
        }
    }

    /// The folders that use each other.
    var mutualPairs: Set<Pair> {
        Set(uses.flatMap { from, used in used.keys.filter { uses[$0]?[from] != nil }.map { Pair(from, $0) } })
    }

    /// The folders that are part of a circle of uses or lie between two circles; empty when the folders are layers.
    var foldersInCircles: Set<String> {
        var left = Set(uses.keys)
        while true {
            // Below all others, or above all others.
            let ends = left.filter { folder in
                (uses[folder] ?? [:]).keys.allSatisfy { !left.contains($0) }
                    || left.allSatisfy { uses[$0]?[folder] == nil }
            }
            if ends.isEmpty { return left }
            left.subtract(ends)
        }
    }

    /// Who uses whom in a pair, the side with fewer uses first, for that is the one to be turned round.
    func explanation(of pair: Pair) -> String {
        let directions = [(pair.first, pair.second), (pair.second, pair.first)].map { from, to in
            (from: from, to: to, uses: uses[from]?[to] ?? [])
        }
        return directions.sorted { $0.uses.count < $1.uses.count }.map { from, to, uses in
            let listed = uses.sorted().prefix(Self.listedUses).map { "    \($0.file) names \($0.type)" }
            let rest = uses.count > Self.listedUses ? ["    and \(uses.count - Self.listedUses) more"] : []
            return (["  \(from) uses \(to):"] + listed + rest).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static let listedUses = 5

    /// The first folder of a path; `top` for files beside the folders.
    private static func folder(of file: String) -> String {
        file.firstIndex(of: "/").map { String(file[..<$0]) } ?? "top"
    }
}
