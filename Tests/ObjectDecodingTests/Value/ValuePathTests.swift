import Testing

@testable import ObjectDecoding

@Suite struct ValuePathTests {
    @Test(
        arguments: [
            ("name", "$.name"), ("sender-id_2", "$.sender-id_2"), ("größe", "$.größe"), ("a b", #"$["a b"]"#),
            ("", #"$[""]"#), ("2nd", #"$["2nd"]"#), (#"q"\"#, #"$["q\"\\"]"#), ("$x", #"$["$x"]"#),
        ])
    func fieldsAreNamedAsPeopleWriteThem(name: String, path: String) {
        #expect(ValuePath.root.field(name).description == path)
    }

    @Test func childrenHaveThePathsOfTheirKind() {
        let list = DecodedValue.array([.null, .null])
        #expect(list.path(ofChild: 1, at: .root).description == "$[1]")
        let pairs = DecodedValue.dictionary([DecodedField(key: .integer(5), value: .null), DecodedField("k", .null)])
        #expect(pairs.path(ofChild: 0, at: .root).description == "$[key 0]")
        #expect(pairs.path(ofChild: 1, at: ValuePath.root.element(3)).description == "$[3].k")
    }
}
