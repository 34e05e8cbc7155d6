import LiveTable

/// A line of the settings.
enum LabSetting: CaseIterable, Hashable, Sendable {
    /// The group that the next settings belong to.
    case group
    case section, order, range, length, offset, pin, least, most, growth, dependencies
    /// Whether the group is in the list or passes the filter, and its place there.
    case isShown, place
    case allSections, consolidation
    /// The source of the groups, and the order of the view's groups.
    case groups, sorting

    var name: String {
        switch self {
        case .group: "group"
        case .section: "section"
        case .order: "order"
        case .range: "range"
        case .length: "  length"
        case .offset: "  offset"
        case .pin: "  from"
        case .least: "  at least"
        case .most: "  at most"
        case .growth: "  grows"
        case .dependencies: "looks at"
        case .isShown: "chosen"
        case .place: "  place"
        case .allSections: "all sections"
        case .consolidation: "one section"
        case .groups: "groups"
        case .sorting: "  sorted"
        }
    }
}

/// The mappings as a form of settings for one of their groups.
struct LabSettings {
    let mappings: Mappings
    /// How the groups are chosen.
    let groups: MappingsSetup.Groups
    /// The groups to choose from.
    let known: [String]
    let group: String

    /// The settings that apply at present.
    var shown: [LabSetting] {
        LabSetting.allCases.filter { setting in
            switch setting {
            case .length, .offset, .pin: range != nil
            case .least, .most, .growth: range?.isFlexibleRange ?? false
            case .place: place != nil
            case .sorting: order != nil
            default: true
            }
        }
    }

    var range: RangeOptions? { mappings.rangeOptions(forGroup: group) }

    func value(of setting: LabSetting) -> String {
        switch setting {
        case .group: group
        case .section: mappings.isDynamicSection(forGroup: group) ? "dynamic" : "static"
        case .order: mappings.isReversed(forGroup: group) ? "reversed" : "as in the view"
        case .range: range.map { $0.isFixedRange ? "fixed" : "flexible" } ?? "all rows"
        case .length: "\(RangeSetup(range).length)"
        case .offset: "\(RangeSetup(range).offset)"
        case .pin: RangeSetup(range).from == .beginning ? "the beginning" : "the end"
        case .least: RangeSetup(range).min.map { "\($0)" } ?? "any number"
        case .most: RangeSetup(range).max.map { "\($0)" } ?? "any number"
        case .growth: RangeSetup(range).grow?.words ?? ""
        case .dependencies: Self.words(of: mappings.cellDrawingDependencyOffsets(forGroup: group))
        case .isShown: isShown ? "yes" : "no"
        case .place: place.map { "\($0 + 1) of \(groups.names?.count ?? 0)" } ?? ""
        case .allSections: mappings.isDynamicSectionForAllGroups ? "dynamic" : "each as it is set"
        case .consolidation:
            mappings.consolidatedGroupName == nil ? "never" : "below \(mappings.autoConsolidateGroupsThreshold) rows"
        case .groups:
            switch groups {
            case .list: "a fixed list"
            case .dynamic(nil, _): "all that have rows"
            case .dynamic: "some that have rows"
            }
        case .sorting: order.map(\.adverb) ?? ""
        }
    }

    static let dependencies: [Set<Int>] = [[], [-1], [1], [-1, 1], [-2], [2]]

    static func words(of offsets: Set<Int>) -> String {
        offsets.isEmpty ? "no neighbour" : offsets.sorted().map { $0 > 0 ? "+\($0)" : "\($0)" }.joined(separator: ", ")
    }
}

extension RangeSetup.Grow {
    static let order: [RangeSetup.Grow] = [.pin, .nonpin, .both, .inrange]

    fileprivate var words: String {
        switch self {
        case .pin: "at the pinned end"
        case .nonpin: "at the other end"
        case .both: "at both ends"
        case .inrange: "inside only"
        }
    }
}
