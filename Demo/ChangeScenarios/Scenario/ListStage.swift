/// A step from rows to rows that follow from them: a scenario with stages shows a list over related rows.
package enum ListStage: String, ScenarioWord {
    /// Each row with the row of the collection `others` that it names.
    case joined
    /// Each row once in each of its groups.
    case each
    /// Each row with the day of its date, as seen from the present.
    case dated
    /// A row for each group.
    case groups

    /// What the rows are, in a few words.
    package var words: String {
        switch self {
        case .joined: "rows with those that they name"
        case .each: "rows in each of their tags"
        case .dated: "rows by their days"
        case .groups: "a row for each group, the newest first"
        }
    }
}

/// The time in a scenario: hours after its beginning, a midnight in Greenwich.
package enum LabTime {
    /// Dates end after a hundred years.
    package static let hours = -876_600...876_600

    package static func words(_ hour: Int) -> String {
        let day = (Double(hour) / 24).rounded(.down)
        return "day \(Int(day)), \(hour - Int(day) * 24):00"
    }
}
