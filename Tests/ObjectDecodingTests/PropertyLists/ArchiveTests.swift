import Foundation
import Testing

@testable import ObjectDecoding

@Suite struct ArchiveTests {
    @Test func plainValuesOfFoundationsArchiverDecode() throws {
        #expect(try json(archive("text" as NSString)) == #""text""#)
        #expect(try json(archive(NSNumber(value: 42))) == "42")
        #expect(try json(archive(NSNumber(value: UInt64.max))) == "18446744073709551615")
        #expect(try json(archive(NSNumber(value: 2.5))) == "2.5")
        #expect(try json(archive(NSNumber(value: true))) == "true")
        #expect(try json(archive(NSData(data: Data([0, 1, 255])))) == #"{"$data":"AAH/"}"#)
        #expect(try json(archive(NSNull())) == "null")
        let date = NSDate(timeIntervalSinceReferenceDate: 123_456_789.5)
        #expect(try json(archive(date)) == #"{"$date":"2004-11-29T21:33:09.500Z"}"#)
        let uuid = UUID()
        #expect(try json(archive(uuid as NSUUID)) == #"{"$uuid":"\#(uuid.uuidString)"}"#)
    }

    @Test func collectionsOfFoundationsArchiverDecode() throws {
        #expect(try json(archive([1, "two", [3]] as NSArray)) == #"[1,"two",[3]]"#)
        #expect(try json(archive(["k": ["v": 1]] as NSDictionary)) == #"{"k":{"v":1}}"#)
        #expect(try json(archive(NSSet(array: ["s"]))) == #"{"$set":["s"]}"#)
        #expect(try json(archive(NSOrderedSet(array: ["a", "b", "c"]))) == #"{"$set":["a","b","c"]}"#)
        #expect(try json(archive(NSMutableArray(array: [1]))) == "[1]")
        #expect(try json(archive(NSMutableDictionary(dictionary: ["a": 1]))) == #"{"a":1}"#)
        #expect(try json(archive(NSMutableString(string: "m"))) == #""m""#)
        #expect(try json(archive([1: "one"] as NSDictionary)) == #"{"$dictionary":[[1,"one"]]}"#)
    }

    @Test func urlsOfFoundationsArchiverDecode() throws {
        let plain = try #require(NSURL(string: "https://example.com/a?b=c"))
        #expect(try json(archive(plain)) == #"{"$url":"https://example.com/a?b=c"}"#)
        let relative = try #require(NSURL(string: "b/c", relativeTo: URL(string: "https://example.com/a/")))
        #expect(try json(archive(relative)) == #"{"$url":"https://example.com/a/b/c"}"#)
    }

    /// Written by hand: Foundation on Linux crashes when it archives one.
    @Test(
        arguments: [
            (1, -1, false, "0.1"), (12_345, -4, true, "-1.2345"), (12, 2, false, "1200"), (0, 5, false, "0"),
            (5, -3, true, "-0.005"),
        ] as [(UInt16, Int, Bool, String)])
    func decimalNumbersKeepTheirDigits(mantissa: UInt16, exponent: Int, isNegative: Bool, text: String) {
        let digits = [UInt8(truncatingIfNeeded: mantissa), UInt8(mantissa >> 8)] + [UInt8](repeating: 0, count: 14)
        let archive = XMLArchive(
            """
            <dict><key>$class</key>\(XMLArchive.uid(2))<key>NS.exponent</key><integer>\(exponent)</integer>
            <key>NS.mantissa</key><data>\(Data(digits).base64EncodedString())</data><key>NS.mantissa.bo</key>
            <integer>1</integer><key>NS.negative</key><\(isNegative)/></dict>
            """, XMLArchive.classEntry("NSDecimalNumber"))
        #expect(json(archive.text) == text)
    }

    @Test func attributedStringsStayReadable() throws {
        let text = NSAttributedString(string: "Hello", attributes: [NSAttributedString.Key("color"): "red"])
        let form = try json(archive(text))
        #expect(form.hasPrefix(#"{"$class":"NSAttributedString","#) && form.contains(#""NSString":"Hello""#))
    }
}
