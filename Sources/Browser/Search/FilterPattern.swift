/// What a filter is typed as: a text, behind `=` a condition, or both: `dune &=price > 20`.
struct FilterPattern: Hashable, Sendable {
    var text: String
    var condition: String?

    private static let sign = " &="

    init(_ pattern: String) {
        if pattern.hasPrefix("="), pattern.count > 1 {
            (text, condition) = ("", String(pattern.dropFirst()))
        } else if let place = pattern.firstRange(of: Self.sign), place.upperBound < pattern.endIndex {
            (text, condition) = (String(pattern[..<place.lowerBound]), String(pattern[place.upperBound...]))
        } else {
            (text, condition) = (pattern, nil)
        }
    }

    /// Returns the filter with a condition more.
    func adding(_ other: String) -> FilterPattern {
        var pattern = self
        pattern.condition = condition.map { "(\($0)) AND \(other)" } ?? other
        return pattern
    }

    /// As it is typed.
    var typed: String {
        switch (text.isEmpty, condition) {
        case (_, nil): text
        case (true, let condition?): "=" + condition
        case (false, let condition?): text + Self.sign + condition
        }
    }
}
