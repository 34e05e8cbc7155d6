/// A benchmark case.
struct Case: Sendable {
    /// `name`, or `name/size` for a case with several sizes.
    let name: String
    /// The number of existing rows.
    let n: Int
    /// The number of rows that are changed, read or drawn.
    let k: Int
    let unit: String
    var targets: [Target] = []
    /// Whether other cases in the same process would distort it.
    var isAlone = false
    /// Whether it runs only if it is named, because it takes minutes.
    var isExtra = false
    let measure: @MainActor () throws -> Measurement

    /// Whether a name on the command line selects this case.
    func isCalled(_ name: String) -> Bool { self.name == name || self.name.hasPrefix("\(name)/") }
}

/// The target of a case.
enum Target: Sendable, CustomStringConvertible {
    case value(atMost: Double, String)
    case ratio(atMost: Double)

    func isMet(by measurement: Measurement) -> Bool {
        switch self {
        case .value(let limit, _): measurement.value <= limit
        case .ratio(let limit): measurement.ratio.map { $0 <= limit } ?? true
        }
    }

    var description: String {
        switch self {
        case .value(let limit, let unit): "at most \(limit.short) \(unit)"
        case .ratio(let limit): "ratio at most \(limit.short)"
        }
    }
}
