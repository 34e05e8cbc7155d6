import Foundation
import Testing

@testable import ObjectDecoding

@Suite struct ChainTests {
    @Test(
        arguments: [
            (#"{"b": 1, "a": [true, null]}"#, [.json], #"{"b":1,"a":[true,null]}"#),
            ("plain text", [.text], #""plain text""#), ("", [.text], #""""#), ("007", [.text], #""007""#),
            ("<plist><integer>7</integer></plist>", [.xml], "7"), ("<p>text</p>", [.text], #""<p>text</p>""#),
        ] as [(String, [ObjectFormat], String)])
    func theFirstFormatThatFitsIsIt(text: String, formats: [ObjectFormat], form: String) {
        let object = ObjectDecoder().decode(Array(text.utf8))
        #expect(
            object.formats == formats && object.json == form && object.error == nil && object.size == text.utf8.count)
    }

    @Test func eightBytesAreATimestampIfTheyAreALikelyTime() {
        let bytes = withUnsafeBytes(of: 499_999_999.25) { Array($0) }
        #expect(json(bytes) == #"{"$date":"2016-11-05T00:53:19.250Z"}"#)
        #expect(json([UInt8](repeating: 0, count: 8)) == #"{"$date":"2001-01-01T00:00:00Z"}"#)
        #expect(json("eight by") == #""eight by""#)
    }

    @Test func bytesThatNothingDecodesSaySo() {
        #expect(
            json([0xff, 0xfe, 0x00]) == #"{"$hex":"fffe00","error":"The format of the bytes is unknown."}"#)
        let long = json([UInt8](repeating: 0xff, count: 1_000))
        #expect(long.hasPrefix("{\"$hex\":\"" + String(repeating: "ff", count: 1_000) + "\",\"error\":"))
    }

    @Test func aDamagedTextOfAKnownFormatIsTextAndSaysWhatIsWrong() {
        let object = ObjectDecoder().decode(Array(#"{"a": 1"#.utf8))
        #expect(object.formats == [.text] && object.error?.contains("JSON") == true)
        #expect(object.json.hasPrefix(#"{"$partial":"{\"a\": 1","error":"#))
    }

    @Test func theChainCanBeOverridden() throws {
        #expect(json("12", .hex) == #"{"$hex":"3132"}"#)
        #expect(json("12", .text) == #""12""#)
        #expect(json("12", .archive, .json) == "12")
        #expect(json("x", .timestamp) == #"{"$hex":"78","error":"A timestamp has eight bytes, not 1."}"#)
        #expect(try json(archive("x" as NSString), .plist).contains(#""$$archiver":"NSKeyedArchiver""#))
    }
}
