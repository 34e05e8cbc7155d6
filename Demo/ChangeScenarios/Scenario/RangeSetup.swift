import YapDatabase

/// The range of a group in a scenario's form.
package struct RangeSetup: Hashable, Sendable {
    package enum Kind: String, ScenarioWord {
        case fixed, flexible
    }

    package enum Pin: String, ScenarioWord {
        case beginning, end
    }

    package enum Grow: String, ScenarioWord {
        case pin, nonpin, both, inrange
    }

    package var kind: Kind
    package var length: Int
    package var offset: Int
    package var from: Pin
    package var max: Int?
    package var min: Int?
    package var grow: Grow?

    package init(kind: Kind, length: Int, offset: Int, from: Pin, max: Int? = nil, min: Int? = nil, grow: Grow? = nil) {
        self.kind = kind
        self.length = length
        self.offset = offset
        self.from = from
        self.max = max
        self.min = min
        self.grow = grow
    }
}

extension RangeSetup {
    package init(_ fields: Fields) throws(ScenarioError) {
        kind = try fields.required("kind")
        length = try fields.required("length", atLeast: 1)
        offset = try fields.required("offset", atLeast: 0)
        from = try fields.required("from")
        max = try fields.optional("max", atLeast: 0)
        min = try fields.optional("min", atLeast: 0)
        grow = try fields.optional("grow")
    }

    package var members: [JSON.Member] {
        let needed = [
            JSON.Member("kind", kind.json), JSON.Member("length", length.json), JSON.Member("offset", offset.json),
            JSON.Member("from", from.json),
        ]
        let limits = [("max", max?.json), ("min", min?.json), ("grow", grow?.json)]
        return needed + limits.compactMap { name, value in value.map { JSON.Member(name, $0) } }
    }

    /// Nil if the length is not positive.
    package var options: RangeOptions? {
        let pin = from == .beginning ? RangeOptions.Pin.beginning : .end
        guard kind == .flexible else { return .fixed(length: length, offset: offset, from: pin) }
        var options = RangeOptions.flexible(length: length, offset: offset, from: pin)
        if let max { options?.maxLength = max }
        if let min { options?.minLength = min }
        if let grow { options?.growOptions = grow.options }
        return options
    }
}

extension RangeSetup.Grow {
    package var options: RangeOptions.GrowOptions {
        switch self {
        case .pin: .pinSide
        case .nonpin: .nonPinSide
        case .both: .onBothSides
        case .inrange: .inRangeOnly
        }
    }
}
