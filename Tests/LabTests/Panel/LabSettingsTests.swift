import LiveTable
import Testing

@testable import AnimationLab
@testable import ChangeScenarios

@Suite struct LabSettingsTests {
    @Test func aGroupWithoutARangeHasNoLength() {
        let settings = LabSettings(mappings())
        #expect(
            settings.shown == [
                .group, .section, .order, .range, .dependencies, .isShown, .place, .allSections, .consolidation,
                .groups,
            ])
        #expect(settings.value(of: .range) == "all rows")
    }

    @Test func everySettingCanBeChangedAndChangedBack() {
        let stepwise: Set<LabSetting> = [.most, .consolidation]
        for setting in LabSetting.allCases where setting != .group && !stepwise.contains(setting) {
            let start = LabSettings(mappings(RangeSetup(kind: .flexible, length: 3, offset: 1, from: .end)))
            guard start.shown.contains(setting) else { continue }
            let there = start.after(setting, up: true)
            #expect(there.value(of: setting) != start.value(of: setting), "\(setting)")
            let back = there.after(setting, up: false)
            #expect(back.value(of: setting) == start.value(of: setting), "\(setting)")
        }
    }

    @Test func aRangeKeepsItsPlaceWhenItBecomesFlexible() {
        let fixed = LabSettings(mappings(RangeSetup(kind: .fixed, length: 3, offset: 2, from: .end)))
        #expect(
            fixed.calls(changing: .range, up: true) == [
                .range(RangeSetup(kind: .flexible, length: 3, offset: 2, from: .end), group: "A")
            ])
    }

    @Test func lengthsStayPossible() {
        let one = LabSettings(mappings(RangeSetup(kind: .fixed, length: 1, offset: 0, from: .beginning)))
        #expect(one.calls(changing: .length, up: false) == [])
        #expect(one.calls(changing: .offset, up: false) == [])
    }

    @Test func limitsAreSwitchedOffBelowOne() {
        var settings = LabSettings(mappings(RangeSetup(kind: .flexible, length: 2, offset: 0, from: .end)))
        settings = settings.after(settings.calls(changing: .most, up: true))
        #expect(settings.value(of: .most) == "2")
        for _ in 1...2 { settings = settings.after(settings.calls(changing: .most, up: false)) }
        #expect(settings.value(of: .most) == "any number")
        settings = settings.after(settings.calls(changing: .consolidation, up: true))
        #expect(settings.value(of: .consolidation) == "below 5 rows")
        for _ in 1...5 { settings = settings.after(settings.calls(changing: .consolidation, up: false)) }
        #expect(settings.value(of: .consolidation) == "never")
    }

    @Test func groupsComeFromAListOrFromTheView() {
        var settings = LabSettings(mappings())
        #expect(settings.groups(changing: .place, up: false) == nil)
        settings = settings.after(.place, up: true)
        #expect(settings.groups == .list(["B", "A"]) && settings.value(of: .place) == "2 of 2")
        settings = settings.after(.groups, up: true)
        #expect(settings.groups == .dynamic(filter: ["B", "A"], order: .ascending))
        #expect(settings.shown.contains(.sorting) && !settings.shown.contains(.place))
        settings = settings.after(.isShown, up: true).after(.sorting, up: true)
        #expect(settings.groups == .dynamic(filter: ["B"], order: .descending))
        settings = settings.after(.groups, up: true)
        #expect(settings.groups == .dynamic(filter: nil, order: .descending))
        #expect(settings.value(of: .isShown) == "yes" && settings.value(of: .sorting) == "descending")
        settings = settings.after(.isShown, up: true).after(.isShown, up: true).after(.groups, up: false)
        #expect(settings.groups == .list(["B", "A"]))
    }

    @Test func aNewGroupIsAddedWhereGroupsAreNamed() throws {
        #expect(try LabSettings(mappings()).groups(adding: "C") == .list(["A", "B", "C"]))
        #expect(throws: LabRefusal("B is one of the groups already.")) {
            try LabSettings(mappings()).groups(adding: "B")
        }
        let all = LabSettings(mappings(), .dynamic(filter: nil, order: .ascending))
        #expect(throws: LabRefusal("A group is shown as soon as it has rows.")) { try all.groups(adding: "C") }
    }

    private func mappings(_ range: RangeSetup? = nil) -> Mappings {
        var mappings = Mappings(groups: ["A", "B"])
        mappings.update(counts: ["A": 9, "B": 2])
        if let range { mappings.perform(.range(range, group: "A")) }
        return mappings
    }
}

extension LabSettings {
    fileprivate init(_ mappings: Mappings, _ groups: MappingsSetup.Groups = .list(["A", "B"])) {
        self.init(mappings: mappings, groups: groups, known: ["A", "B"], group: "A")
    }

    fileprivate func after(_ setting: LabSetting, up: Bool) -> LabSettings {
        groups(changing: setting, up: up).map { LabSettings(mappings, $0) } ?? after(calls(changing: setting, up: up))
    }

    fileprivate func after(_ calls: [MappingsCall]) -> LabSettings {
        var mappings = mappings
        mappings.perform(calls)
        return LabSettings(mappings, groups)
    }
}
