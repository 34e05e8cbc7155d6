import LiveTable

/// The range of a group in a scenario's form.
struct RangeSetup: Hashable, Sendable {
    enum Kind: String, ScenarioWord {
        case fixed, flexible
    }

    enum Pin: String, ScenarioWord {
        case beginning, end
    }

    enum Grow: String, ScenarioWord {
        case pin, nonpin, both, inrange
    }

    var kind: Kind
    var length: Int
    var offset: Int
    var from: Pin
    var max: Int?
    var min: Int?
    var grow: Grow?
}

extension RangeSetup {
    init(_ fields: Fields) throws(ScenarioError) {
        kind = try fields.required("kind")
        length = try fields.required("length", atLeast: 1)
        offset = try fields.required("offset", atLeast: 0)
        from = try fields.required("from")
        max = try fields.optional("max", atLeast: 0)
        min = try fields.optional("min", atLeast: 0)
        grow = try fields.optional("grow")
    }

    var members: [JSON.Member] {
        let needed = [
            JSON.Member("kind", kind.json), JSON.Member("length", length.json), JSON.Member("offset", offset.json),
            JSON.Member("from", from.json),
        ]
        let limits = [("max", max?.json), ("min", min?.json), ("grow", grow?.json)]
        return needed + limits.compactMap { name, value in value.map { JSON.Member(name, $0) } }
    }

    var options: YapDatabaseViewRangeOptions {
        let pin = from == .beginning ? YapDatabaseViewPin.beginning : .end
        switch kind {
        case .fixed: return .fixedRange(withLength: length, offset: offset, from: pin)
        case .flexible:
            let options = YapDatabaseViewRangeOptions.flexibleRange(withLength: length, offset: offset, from: pin)
            if let max { options.maxLength = max }
            if let min { options.minLength = min }
            if let grow { options.growOptions = grow.options }
            return options
        }
    }
}

extension RangeSetup.Grow {
    var options: YapDatabaseViewGrowOptions {
        switch self {
        case .pin: .pinSide
        case .nonpin: .nonPinSide
        case .both: .onBothSides
        case .inrange: .inRangeOnly
        }
    }
}
