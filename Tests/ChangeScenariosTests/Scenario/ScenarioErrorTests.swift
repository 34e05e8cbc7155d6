import Testing

@testable import ChangeScenarios

@Suite struct ScenarioErrorTests {
    @Test(arguments: [
        ("", "the scenario should be JSON: column 1: the text ends where a value should be"),
        ("[]", "the scenario should be an object, not an array"),
        ("{}", "mappings is missing; it should be an object with groups and config"),
        (#"{"mappings":7}"#, "mappings should be an object, not 7"),
        (#"{"mappings":{"config":[]},"steps":[]}"#, "mappings.groups is missing; it should be an array"),
        (#"{"mappings":{"groups":"A"},"steps":[]}"#, #"mappings.groups should be an array, not "A""#),
        (#"{"mappings":{"groups":["A",3]},"steps":[]}"#, "mappings.groups[1] should be a string, not 3"),
        (#"{"mappings":{"groups":[]}}"#, "steps is missing; it should be an array"),
        (#"{"mappings":{"groups":[]},"steps":[{}]}"#, "steps[0].commits is missing; it should be an array"),
        (#"{"scenario":{"mappings":{"groups":[]}}}"#, "scenario.steps is missing; it should be an array"),
        (
            #"{"mappings":{"groups":[],"dynamicGroups":true,"groupSort":"up"},"steps":[]}"#,
            #"mappings.groupSort should be "asc" or "desc", not "up""#
        ),
        (#"{"mappings":{"groups":[]},"persistent":1,"steps":[]}"#, "persistent should be true or false, not 1"),
        (
            #"{"list":["joins"],"mappings":{"groups":[]},"steps":[]}"#,
            #"list[0] should be "joined" or "each" or "dated" or "groups", not "joins""#
        ),
        (
            #"{"list":["each","each","each","each","each"],"mappings":{"groups":[]},"steps":[]}"#,
            "list should have at most 4 stages, not 5"
        ),
        (
            #"{"list":["each"],"persistent":false,"mappings":{"groups":[]},"steps":[]}"#,
            "persistent should be true: a list over related rows is in the file"
        ),
        (
            #"{"mappings":{"groups":[]},"initial":[{"op":"clock","at":876601}],"steps":[]}"#,
            "initial[0].at should be at most 876600 and at least -876600, not 876601"
        ),
    ])
    func aLineThatIsNoScenarioIsToldItsField(line: String, error: String) {
        #expect(message(of: line) == error)
    }

    @Test(arguments: [
        (
            #"{}"#,
            #"do is missing; it should be "dynamicSection" or "dynamicSectionAll" or "reverse" or "range" or "removeRange" or "dependencies" or "consolidate""#
        ),
        (#"{"do":"reverse","group":"A"}"#, "value is missing; it should be true or false"),
        (#"{"do":"reverse","group":"A","value":1}"#, "value should be true or false, not 1"),
        (#"{"do":"dynamicSection","value":true}"#, "group is missing; it should be a string"),
        (
            #"{"do":"range","group":"A","kind":"soft","length":1,"offset":0,"from":"end"}"#,
            #"kind should be "fixed" or "flexible", not "soft""#
        ),
        (
            #"{"do":"range","group":"A","kind":"fixed","length":0,"offset":0,"from":"end"}"#,
            "length should be at least 1, not 0"
        ),
        (
            #"{"do":"range","group":"A","kind":"fixed","length":1,"offset":-1,"from":"end"}"#,
            "offset should be at least 0, not -1"
        ),
        (
            #"{"do":"range","group":"A","kind":"fixed","length":1,"from":"end"}"#,
            "offset is missing; it should be a whole number of at least 0"
        ),
        (#"{"do":"dependencies","group":"A","offsets":[1.5]}"#, "offsets[0] should be a whole number, not 1.5"),
        (#"{"do":"consolidate","threshold":"5","name":"all"}"#, #"threshold should be a whole number, not "5""#),
    ])
    func aCallThatIsNoneIsToldItsField(call: String, error: String) {
        let line = #"{"mappings":{"groups":["A"],"config":[{"do":"removeRange","group":"A"},\#(call)]},"steps":[]}"#
        #expect(message(of: line) == "mappings.config[1].\(error)")
    }

    @Test(arguments: [
        (#"{"op":"set","key":"k","text":"t"}"#, "sort is missing; it should be a whole number"),
        (#"{"op":"set","sort":1,"text":"t"}"#, "key is missing; it should be a string"),
        (#"{"op":"set","key":"k","sort":1,"text":"t","group":5}"#, "group should be a string, not 5"),
        (#"{"op":"removeMany","keys":{}}"#, "keys should be an array, not an object"),
        (#"{"op":"replaceMetadata","key":"k"}"#, "metadata is missing; it should be a string"),
    ])
    func anOperationThatIsNoneIsToldItsField(operation: String, error: String) {
        let line = #"{"mappings":{"groups":["A"]},"steps":[{"commits":[[],[\#(operation)]]}]}"#
        #expect(message(of: line) == "steps[0].commits[1][0].\(error)")
    }

    @Test(arguments: [
        (#"{"op":"insertRow","group":"A","index":-1,"key":"k"}"#, "log[0].index should be at least 0, not -1"),
        (
            #"{"op":"insertRow","group":"A","index":3,"key":"k"}"#,
            #"log[0].index should be an index of group "A", which has 2 rows then, not 3"#
        ),
        (
            #"{"op":"updateRow","group":"A","index":0,"key":"k","changes":["text"]}"#,
            #"log[0].changes[0] should be "object" or "metadata" or "dependency" or "snippets", not "text""#
        ),
        (
            #"{"op":"insertRow","group":"A","index":0,"key":"k"},{"op":"deleteRow","group":"A","index":0,"key":"x"}"#,
            #"log[1].key should be k, which is at index 0 of group "A" then, not x"#
        ),
        (#"{"op":"insertSection","group":"A"}"#, "finalCounts.A should be 2, which follows from the log, not 3"),
    ])
    func aLogThatCannotBeIsToldItsField(log: String, error: String) {
        let line =
            #"{"mappings":{"groups":["A"]},"counts":{"A":2},"log":[\#(log)],"finalCounts":{"A":3}}"#
        #expect(message(of: line) == error)
    }

    @Test(arguments: [
        ("-2", "at least 0, not -2"), ("9223372036854775807", "at most 281474976710656, not 9223372036854775807"),
    ])
    func countsAreSensible(count: String, error: String) {
        let line = #"{"mappings":{"groups":["A"]},"counts":{"A":\#(count)},"log":[]}"#
        #expect(message(of: line) == "counts.A should be \(error)")
    }

    /// Returns the error of `yap lab --replay` for the line.
    private func message(of line: String) -> String {
        do {
            switch try Scenario(line: Array(line.utf8)) {
            case .log(let scenario): return "\(try scenario.replayed().json)"
            case .database(let scenario): return "\(scenario.json)"
            }
        } catch {
            return "\(error)"
        }
    }
}
