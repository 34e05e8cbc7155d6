import ListChanges

extension Mappings {
    /// Does a call of a scenario.
    mutating func perform(_ call: Scenario.Call) {
        let group = call.group ?? ""
        switch call.do {
        case "dynamicSection": setIsDynamicSection(call.value!, forGroup: group)
        case "dynamicSectionAll": setIsDynamicSectionForAllGroups(call.value!)
        case "reverse": setIsReversed(call.value!, forGroup: group)
        case "range": setRangeOptions(call.range, forGroup: group)
        case "removeRange": removeRangeOptions(forGroup: group)
        case "dependencies": setCellDrawingDependencyOffsets(Set(call.offsets!), forGroup: group)
        case "consolidate": setAutoConsolidateGroupsThreshold(call.threshold!, withName: call.name)
        default: preconditionFailure("There is no call \(call.do).")
        }
    }
}

extension Scenario.Call {
    var range: RangeOptions? {
        let pin: RangeOptions.Pin = from == "end" ? .end : .beginning
        if kind == "fixed" { return .fixed(length: length!, offset: offset!, from: pin) }
        var range = RangeOptions.flexible(length: length!, offset: offset!, from: pin)
        if let max { range?.maxLength = max }
        if let min { range?.minLength = min }
        switch grow {
        case "pin": range?.growOptions = .pinSide
        case "nonpin": range?.growOptions = .nonPinSide
        case "both": range?.growOptions = .onBothSides
        case "inrange": range?.growOptions = .inRangeOnly
        default: break
        }
        return range
    }
}
