/// Maps the groups of a view to the sections and rows of a list.
///
/// Mappings are a value: they hold the settings (which groups, in which order, dynamic sections, ranges, reversal, cell
/// drawing dependencies, consolidation) and the counts of one snapshot, and answer from these alone. They know no
/// database and no view.
///
/// ```swift
/// var mappings = Mappings(groups: ["available", "away"])
/// mappings.setIsDynamicSection(true, forGroup: "away")
/// mappings.update(counts: ["available": 3, "away": 0])
/// print(mappings.visibleGroups)   // ["available"]
/// ```
///
/// Settings may change before the first `update`, after it, and between any two. Ranges and reversal take effect at
/// once. The sections are determined at the next update or change-set, which then reports the change, so that the list
/// on screen stays in step. Settings of an unknown group are kept: with dynamic groups they apply once the group
/// appears.
public struct Mappings: Hashable, Sendable {
    /// Whether the groups are given at each update rather than once.
    public let groupsAreDynamic: Bool
    /// The groups in order, shown or not; dynamic groups are those of the last update.
    public internal(set) var allGroups: [String]
    /// Whether there has been an update. Before the first, every count is 0 and nothing is shown.
    public internal(set) var isUpdated = false

    var counts = SharedDictionary<Int>()
    var setups = SharedDictionary<GroupSetup>()
    /// The settings of a group for which nothing is set.
    var unset = GroupSetup()
    var allSectionsAreDynamic = false
    var consolidationThreshold = 0
    var consolidationName: String?

    /// The groups that are shown, as sections or consolidated, with the index of each.
    var shownGroups: [String] = []
    var shownSections = SectionsByGroup([])
    /// The name of the one section that all groups are shown as; nil while each is its own.
    var shownName: String?
    /// Whether no setting changed since the last change-set, so that an empty log changes nothing.
    var isSettled = false

    /// More rows than any group has. Greater counts, offsets and distances are cut to it, so that their sums stay far
    /// below `Int.max`.
    static let maxRows = 1 << 48

    /// Creates mappings of these groups, in this order. Duplicate names count once.
    public init(groups: [String]) {
        self.groupsAreDynamic = false
        self.allGroups = groups.firstOccurrences
    }

    /// Creates mappings whose groups are given at each update: the caller filters and sorts the view's groups.
    ///
    /// ```swift
    /// var mappings = Mappings.withDynamicGroups()
    /// mappings.update(groups: ["away", "available"], counts: ["away": 2, "available": 1])
    /// print(mappings.allGroups)   // ["away", "available"]
    /// ```
    public static func withDynamicGroups() -> Mappings {
        Mappings(dynamic: true)
    }

    private init(dynamic: Bool) {
        self.groupsAreDynamic = dynamic
        self.allGroups = []
    }
}

extension [String] {
    /// The elements without duplicates of earlier ones.
    var firstOccurrences: [String] {
        var seen = Set<ExactString>()
        return filter { seen.insert(ExactString($0)).inserted }
    }
}
