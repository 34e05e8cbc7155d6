import ObjectDecoding
import Testing

@testable import FileReading

@Suite struct FieldDifferenceTests {
    @Test(arguments: [
        (#"{"a":1,"b":{"c":[1,2,3]}}"#, #"{"a":1,"b":{"c":[1,5,3]}}"#, ["$.b.c[1]: 2 → 5"]),
        (#"{"a":1}"#, #"{"b":1}"#, ["$.a: 1 → -", "$.b: - → 1"]),
        (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, []),
        (#"[1,2,3]"#, #"[1,9,2,3]"#, ["$[1]: - → 9"]),
        (#"[1,2,3]"#, #"[3]"#, ["$[0]: 1 → -", "$[1]: 2 → -"]),
        (#"{"a":[]}"#, #"{"a":{}}"#, ["$.a: [] → {}"]),
        (#"{"a":null}"#, #"{}"#, ["$.a: null → -"]),
        (#"1"#, #""1""#, [#"$: 1 → "1""#]),
        (#"{"a b":{"c":true}}"#, #"{"a b":{"c":false}}"#, [#"$["a b"].c: true → false"#]),
    ])
    func itIsNamedByItsPath(before: String, after: String, differences: [String]) {
        let found = decoded(before).differences(to: decoded(after)).map {
            "\($0.path): \($0.before?.json ?? "-") → \($0.after?.json ?? "-")"
        }
        #expect(found == differences)
    }

    private func decoded(_ json: String) -> DecodedValue { ObjectDecoder(formats: []).decode(Array(json.utf8)).value }

    /// Swift's texts are equal, what is stored is not.
    @Test func textsAreComparedByTheirBytes() {
        let (one, other) = ("caf\u{e9}", "cafe\u{301}")
        func value(_ text: String) -> DecodedValue {
            .dictionary([DecodedField("a", .string(text)), DecodedField("b", .array([.string(text)]))])
        }
        #expect(value(one).differences(to: value(one)).isEmpty)
        #expect(value(one).differences(to: value(other)).count == 2)
        let names = DecodedValue.dictionary([DecodedField(one, .null)])
        #expect(names.differences(to: .dictionary([DecodedField(other, .null)])).count == 2)
        #expect(DecodedValue.object(className: one, fields: []) != .object(className: other, fields: []))
    }

    /// Bytes that differ are equal only if all that they say is known to be the same.
    @Test func whatCannotBeShownExactlyIsNotEqual() {
        let deep = { (number: Int) in
            String(repeating: "[", count: 120) + "\(number)" + String(repeating: "]", count: 120)
        }
        let values = [
            #"{"a":"\ud800"}"#, #"{"a":"\ud801"}"#, #"{"a":"\udfff"}"#, #"{"a": "\ufffd"}"#, #"{"a":"\uFFFD"}"#,
            deep(1), deep(2),
        ].map { StoredValue(.blob(Array($0.utf8)), size: $0.utf8.count) }
        let decoder = RowDecoder()
        for (place, value) in values.enumerated() {
            for (other, second) in values.enumerated() {
                let isSame = place == other || Set([place, other]) == [3, 4]
                #expect(decoder.differences(value, second).isEmpty == isSame, "\(place), \(other)")
            }
        }
        let found = decoder.differences(values[0], values[1])
        #expect(found.count == 1 && found[0].before?.json.contains("$hex") == true && found[0].before != found[0].after)
    }
}
