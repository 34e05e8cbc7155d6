extension History {
    /// Returns configuration calls in random order.
    static func calls(_ random: inout SplitMix64) -> [Scenario.Call] {
        var calls: [Scenario.Call] = []
        for _ in 0..<random.below(7) { calls.append(call(&random)) }
        return calls
    }

    private static func call(_ random: inout SplitMix64) -> Scenario.Call {
        let group = ModelList.names[random.below(3)]
        switch random.below(20) {
        case ..<4: return Scenario.Call(do: "dynamicSection", group: group, value: random.percent(75))
        case ..<5: return Scenario.Call(do: "dynamicSectionAll", value: random.percent(75))
        case ..<8: return Scenario.Call(do: "reverse", group: group, value: random.percent(75))
        case ..<9: return Scenario.Call(do: "removeRange", group: group)
        case ..<12:
            let offsets = (0..<(1 + random.below(2))).map { _ in random.pick([-1, 1, -1, 1, -2, 2, -3, 3, 0, 7]) }
            return Scenario.Call(do: "dependencies", group: group, offsets: offsets)
        case ..<14:
            return Scenario.Call(
                do: "consolidate", threshold: random.pick([0, 3, 5, 8, 15]), name: random.pick(["all", "all", "A"]))
        default: return range(group, &random)
        }
    }

    private static func range(_ group: String, _ random: inout SplitMix64) -> Scenario.Call {
        var call = Scenario.Call(
            do: "range", group: group, kind: random.pick(["fixed", "flexible", "flexible"]),
            length: 1 + random.below(6), offset: random.pick([0, 0, 0, 1, 2, 4]),
            from: random.pick(["beginning", "end"]))
        guard call.kind == "flexible" else { return call }
        if random.percent(40) { call.max = 1 + random.below(8) }
        if random.percent(40) { call.min = 1 + random.below(5) }
        call.grow = random.pick([nil, "pin", "nonpin", "both", "inrange"])
        return call
    }
}
