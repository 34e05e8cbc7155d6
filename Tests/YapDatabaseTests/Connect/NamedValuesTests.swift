import ListChanges
import SeededRandom
import Testing

@testable import YapDatabase

@Suite struct NamedValuesTests {
    /// Values come, change and go as in a dictionary of names that differ by their bytes, whether they are the first one, one of few or in the table.
    @Test(arguments: 0..<20 as Range<UInt64>) func namedValuesEqualADictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (values, model) = (NamedValues<Int>(), [ExactString: Int]())
        let names = ["a", "b", "c", "e\u{301}", "\u{e9}"] + (0..<Int(seed)).map { "name \($0)" }
        for step in 0..<200 {
            let name = names[random.below(names.count)]
            let value = random.percent(40) ? nil : step
            values[name] = value
            model[ExactString(name)] = value
            if random.percent(2) {
                values.filter { $1 % 3 != 0 }
                model = model.filter { $0.value % 3 != 0 }
            }
            for name in names {
                #expect(values[name] == model[ExactString(name)], "seed \(seed), step \(step), \(name)")
            }
        }
    }
}
