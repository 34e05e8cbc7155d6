import Testing

@testable import AnimationLab

@Suite struct GalleryLawTests {
    @Test(arguments: Gallery.entries.map(\.name))
    func everyStepOfEveryEntryKeepsTheLaw(name: String) throws {
        let entry = try #require(Gallery.entry(named: name))
        try withScratchFolder { folder in
            let result = try folder.withDatabaseURL { try entry.scenario.replayed(at: $0) }
            #expect(result.flaws(of: entry.scenario) == [])
            let comparisons = entry.comparisons(of: result)
            #expect(comparisons.count == entry.scenario.steps.count)
            for comparison in comparisons {
                #expect(comparison.ours.verdict == .exact)
                #expect(comparison.ours.rows == comparison.after.shown && comparison.ours.wrongPaths == [])
            }
        }
    }

    @Test func everyEntryHasItsWords() {
        #expect(Set(Gallery.entries.map(\.name)).count == Gallery.entries.count)
        for entry in Gallery.entries {
            #expect(entry.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(entry.name)")
            #expect(!entry.title.isEmpty && entry.about.hasSuffix("."), "\(entry.name)")
            #expect(entry.steps.count == entry.scenario.steps.count, "\(entry.name)")
            #expect(entry.steps.allSatisfy { $0.text.hasSuffix(".") }, "\(entry.name)")
        }
    }

    @Test func allNineDefectsAndBothTrapsAreThere() {
        let kinds = Gallery.entries.map(\.kind)
        #expect(Set((1...9).map { GalleryEntry.Kind.defect($0) }).isSubset(of: kinds))
        #expect(kinds.filter { $0 == .trap }.count == 2)
    }

    /// An entry is recorded, saved and replayed like any scenario.
    @Test func everyScenarioIsOneLineOfJSON() throws {
        for entry in Gallery.entries {
            let line = entry.scenario.json.description
            #expect(!line.contains("\n"))
            #expect(try Scenario(line: Array(line.utf8)) == .database(entry.scenario), "\(entry.name)")
        }
    }
}
