import LiveTable

/// A line of the settings.
enum LabSetting: CaseIterable, Hashable, Sendable {
    /// Whose settings the next ones are.
    case group
    case section, order, range, length, offset, pin, least, most, growth, dependencies
    case allSections, consolidation

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
        case .allSections: "all sections"
        case .consolidation: "one section"
        }
    }
}

/// The mappings as a form of settings for one of their groups.
struct LabSettings {
    let mappings: Mappings
    let group: String

    /// The settings that mean something now.
    var shown: [LabSetting] {
        LabSetting.allCases.filter { setting in
            switch setting {
            case .length, .offset, .pin: range != nil
            case .least, .most, .growth: range?.isFlexible ?? false
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
        case .range: range.map { $0.isFixed ? "fixed" : "flexible" } ?? "all rows"
        case .length: "\(RangeSetup(range).length)"
        case .offset: "\(RangeSetup(range).offset)"
        case .pin: RangeSetup(range).from == .beginning ? "the beginning" : "the end"
        case .least: RangeSetup(range).min.map { "\($0)" } ?? "any number"
        case .most: RangeSetup(range).max.map { "\($0)" } ?? "any number"
        case .growth: RangeSetup(range).grow?.words ?? ""
        case .dependencies: Self.words(of: mappings.cellDrawingDependencyOffsets(forGroup: group))
        case .allSections: mappings.isDynamicSectionForAllGroups ? "dynamic" : "each as it is set"
        case .consolidation:
            mappings.consolidatedGroupName == nil ? "never" : "below \(mappings.autoConsolidateGroupsThreshold) rows"
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
