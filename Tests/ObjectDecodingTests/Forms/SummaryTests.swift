import Foundation
import Testing

@testable import ObjectDecoding

@Suite struct SummaryTests {
    private let person = DecodedValue.object(
        className: "Person",
        fields: [
            DecodedField("name", .string("Bob")), DecodedField("tags", .array([.string("x"), .null])),
            DecodedField("site", .url("https://example.com")),
        ])

    @Test func aSummaryIsOneLine() {
        #expect(person.summary() == #"Person {name: "Bob", tags: ["x", null], site: https://example.com}"#)
        #expect(DecodedValue.string("as it is").summary() == "as it is")
        #expect(DecodedValue.array([]).summary() == "[]")
    }

    @Test func aSummaryKeepsToItsLimit() {
        #expect(person.summary(limit: 10) == "Person {na…")
        #expect(DecodedValue.string("ééé").summary(limit: 3) == "é…")
        let large = DecodedValue.array(Array(repeating: person, count: 100_000))
        #expect(large.summary(limit: 80).utf8.count <= 83)
    }

    @Test func fieldsAreColumns() {
        #expect(person.columnNames == ["name", "tags", "site"])
        #expect(
            person.column("name") == "Bob" && person.column("tags") == #"["x", null]"# && person.column("no") == nil)
        #expect(DecodedValue.integer(1).columnNames.isEmpty)
    }

    @Test func searchTextHasStringsNamesAndNumbers() {
        var bytes: [UInt8] = []
        DecodedValue.dictionary([DecodedField("n", .integer(42)), DecodedField("p", person)]).appendSearchText(
            to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "n\n42\np\nname\nBob\ntags\nx\nsite\nhttps://example.com\n")
        bytes = []
        DecodedValue.array(Array(repeating: person, count: 100_000)).appendSearchText(to: &bytes, limit: 1_000)
        #expect(bytes.count < 1_100)
    }
}
