import LiveTable

extension LabSettings {
    /// Explains a setting's value in words that fit beside a title.
    func meaning(of setting: LabSetting) -> String {
        switch setting {
        case .group: "the group that this form is about"
        case .section:
            mappings.isDynamicSection(forGroup: group)
                ? "goes away while it shows no rows" : "stays when it shows no rows"
        case .order: mappings.isReversed(forGroup: group) ? "the view's last row first" : "the view's first row first"
        case .range:
            switch range {
            case nil: "the whole group"
            case let range? where range.isFixedRange: "places stay, rows pass through"
            default: "rows stay, the window moves along"
            }
        case .length: "rows in the window"
        case .offset: "rows between that end and the window"
        case .pin: "the end from which it is counted"
        case .least: "with fewer it takes in more rows"
        case .most: "with more, rows leave at the far end"
        case .growth: "where new rows join it"
        case .dependencies: "rows whose change redraws this one"
        case .isShown: isShown ? "the group has its section" : "the group is left out"
        case .place: "sections are in this order"
        case .allSections:
            mappings.isDynamicSectionForAllGroups ? "all go away while empty" : "as it is set for each group"
        case .consolidation: "few rows in all make one section"
        case .groups:
            switch groups {
            case .list: "these, with rows or without"
            case .dynamic(nil, _): "they come and go with their rows"
            case .dynamic: "those of them that have rows"
            }
        case .sorting: "the order of groups that come and go"
        }
    }
}
