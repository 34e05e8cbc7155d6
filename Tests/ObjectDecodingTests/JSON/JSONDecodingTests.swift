import Foundation
import Testing

@testable import ObjectDecoding

@Suite struct JSONDecodingTests {
    /// Digits, order and duplicate names are kept.
    @Test(
        arguments: [
            "18446744073709551615", "18446744073709551616", "-9223372036854775808", "0.10", "1e400", "-0", "1E5",
            "0.1", "27.61", "123456789012345678901234567890.5", #"{"b":1,"a":2,"b":3}"#, "[[],{},null]",
        ])
    func whatIsReadIsWrittenAsItWas(text: String) {
        let form = ObjectDecoder(formats: [.json]).decode(Array(text.utf8)).json
        #expect(form == text)
    }

    @Test func otherEncodingsAreRead() throws {
        let text = #"{"k":"é😀"}"#
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
            let bytes = Array(try #require(text.data(using: encoding)))
            #expect(json(bytes) == text, "\(encoding)")
        }
        #expect(json([0xef, 0xbb, 0xbf] + Array(text.utf8)) == text)
    }

    @Test func whatFoundationWritesIsRead() throws {
        struct Item: Codable {
            var name = "x\"\\/\u{1}\u{7f}"
            var numbers = [1.5, -2e100, 0]
            var nested: [String: [Bool?]] = ["k": [true, nil]]
        }
        let bytes = try JSONEncoder().encode(Item())
        let ours = try JSONDecoder().decode(Item.self, from: Data(ObjectDecoder().decode(bytes).json.utf8))
        #expect(ours.name == Item().name && ours.numbers == Item().numbers && ours.nested == Item().nested)
    }
}
