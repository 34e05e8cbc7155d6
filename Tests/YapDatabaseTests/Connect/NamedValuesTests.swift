import ListChanges
import SeededRandom
import Testing

@testable import YapDatabase

@Suite struct NamedValuesTests {
    /// Values come, change and go as in a dictionary of names that differ by their bytes, whichever of them is the one without a table.
    @Test(arguments: 0..<20 as Range<UInt64>) func namedValuesEqualADictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (values, model) = (NamedValues<Int>(), [ExactString: Int]())
        let names = ["a", "b", "c", "e\u{301}", "\u{e9}"]
        for step in 0..<200 {
            let name = names[random.below(names.count)]
            let value = random.percent(40) ? nil : step
            values[name] = value
            model[ExactString(name)] = value
            for name in names {
                #expect(values[name] == model[ExactString(name)], "seed \(seed), step \(step), \(name)")
            }
        }
    }
}
