import LiveTable
import Testing

@testable import AnimationLab

@Suite struct LabSettingsTests {
    @Test func aGroupWithoutARangeHasNoLength() {
        let settings = LabSettings(mappings: mappings(), group: "A")
        #expect(settings.shown == [.group, .section, .order, .range, .dependencies, .allSections, .consolidation])
        #expect(settings.value(of: .range) == "all rows")
    }

    @Test func everySettingCanBeChangedAndChangedBack() {
        let stepwise: Set<LabSetting> = [.most, .consolidation]
        for setting in LabSetting.allCases where setting != .group && !stepwise.contains(setting) {
            let start = LabSettings(
                mappings: mappings(RangeSetup(kind: .flexible, length: 3, offset: 1, from: .end)), group: "A")
            guard start.shown.contains(setting) else { continue }
            let there = start.after(start.calls(changing: setting, up: true))
            #expect(there.value(of: setting) != start.value(of: setting), "\(setting)")
            let back = there.after(there.calls(changing: setting, up: false))
            #expect(back.value(of: setting) == start.value(of: setting), "\(setting)")
        }
    }

    @Test func aRangeKeepsItsPlaceWhenItBecomesFlexible() {
        let fixed = LabSettings(
            mappings: mappings(RangeSetup(kind: .fixed, length: 3, offset: 2, from: .end)), group: "A")
        #expect(
            fixed.calls(changing: .range, up: true) == [
                .range(RangeSetup(kind: .flexible, length: 3, offset: 2, from: .end), group: "A")
            ])
    }

    @Test func lengthsStayPossible() {
        let one = LabSettings(
            mappings: mappings(RangeSetup(kind: .fixed, length: 1, offset: 0, from: .beginning)), group: "A")
        #expect(one.calls(changing: .length, up: false) == [])
        #expect(one.calls(changing: .offset, up: false) == [])
    }

    @Test func limitsAreSwitchedOffBelowOne() {
        var settings = LabSettings(
            mappings: mappings(RangeSetup(kind: .flexible, length: 2, offset: 0, from: .end)), group: "A")
        settings = settings.after(settings.calls(changing: .most, up: true))
        #expect(settings.value(of: .most) == "2")
        for _ in 1...2 { settings = settings.after(settings.calls(changing: .most, up: false)) }
        #expect(settings.value(of: .most) == "any number")
        settings = settings.after(settings.calls(changing: .consolidation, up: true))
        #expect(settings.value(of: .consolidation) == "below 5 rows")
        for _ in 1...5 { settings = settings.after(settings.calls(changing: .consolidation, up: false)) }
        #expect(settings.value(of: .consolidation) == "never")
    }

    private func mappings(_ range: RangeSetup? = nil) -> Mappings {
        var mappings = Mappings(groups: ["A", "B"])
        mappings.update(counts: ["A": 9, "B": 2])
        if let range { mappings.perform(.range(range, group: "A")) }
        return mappings
    }
}

extension LabSettings {
    fileprivate func after(_ calls: [MappingsCall]) -> LabSettings {
        var mappings = mappings
        mappings.perform(calls)
        return LabSettings(mappings: mappings, group: group)
    }
}
