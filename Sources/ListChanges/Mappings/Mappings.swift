/// How the groups of a view become the sections and rows of a list.
///
/// Mappings are a value: they hold the setup (which groups, in which order, dynamic sections, ranges, reversal, cell
/// drawing dependencies, consolidation) and the counts of one snapshot, and answer from these alone. They know no
/// database and no view.
///
///     var mappings = Mappings(groups: ["available", "away"])
///     mappings.setIsDynamicSection(true, forGroup: "away")
///     mappings.update(counts: ["available": 3, "away": 0])
///     mappings.visibleGroups   // ["available"]
///
/// Setting up may come before the first `update`, after it, and between any two. Ranges and reversal take effect at
/// once; which sections there are is decided with the next update or change-set, which then reports it, so that the
/// list on screen stays in step. Setup for a group that the mappings do not hold is remembered: with dynamic groups it
/// waits for the group to appear.
public struct Mappings: Hashable, Sendable {
    /// Whether the groups are given from outside at each update, instead of once.
    public let groupsAreDynamic: Bool
    /// The groups in order, shown or not; of dynamic groups those of the last update.
    public internal(set) var allGroups: [String]
    /// Whether there was an update yet. Before the first, every count is 0 and nothing is shown.
    public internal(set) var isUpdated = false

    var counts: [String: Int] = [:]
    var setups: [String: GroupSetup] = [:]
    var allSectionsAreDynamic = false
    var consolidationThreshold = 0
    var consolidationName: String?

    /// The groups that are shown, whether as sections or consolidated, and the place of each among them.
    var shownGroups: [String] = []
    var shownSections: [String: Int] = [:]
    /// The name of the one section that all groups are shown as; nil while each is its own.
    var shownName: String?
    /// Whether nothing was set up since the last change-set, so that one without operations has nothing to do.
    var isSettled = false

    /// More rows than any group has. Counts, offsets and distances beyond it are cut, so that sums of them stay far
    /// from `Int.max`.
    static let mostRows = 1 << 48

    /// Mappings of these groups, in this order. A name that stands twice counts once.
    public init(groups: [String]) {
        self.groupsAreDynamic = false
        self.allGroups = groups.firstOccurrences
    }

    /// Mappings whose groups come with each update: the caller filters and sorts the view's groups.
    public static func withDynamicGroups() -> Mappings {
        Mappings(dynamic: true)
    }

    private init(dynamic: Bool) {
        self.groupsAreDynamic = dynamic
        self.allGroups = []
    }
}

extension [String] {
    /// The elements without those that came earlier.
    var firstOccurrences: [String] {
        var seen = Set<String>()
        return filter { seen.insert($0).inserted }
    }
}
