import Foundation
import Testing

@testable import ObjectDecoding

@Suite struct ISODateTests {
    @Test(
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59.500Z"), (500_000_000, "2016-11-05T00:53:20Z"),
            (-978_307_200, "1970-01-01T00:00:00Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
            (252_423_993_600, "+010000-01-01T00:00:00Z"), (-63_145_526_400, "0000-01-01T00:00:00Z"),
            (-63_145_526_401, "-000001-12-31T23:59:59Z"), (499_999_999.123456, "2016-11-05T00:53:19.123456Z"),
        ] as [(Double, String)])
    func datesAreText(seconds: Double, text: String) {
        #expect(ISODate.text(Date(timeIntervalSinceReferenceDate: seconds)) == text)
    }

    @Test func datesBeyondTheCalendarAreSeconds() {
        for seconds in [1e300, .infinity, -.infinity, .nan] as [Double] {
            #expect(ISODate.text(Date(timeIntervalSinceReferenceDate: seconds)) == nil)
        }
        #expect(DecodedValue.date(seconds: 1e300).json == #"{"$secondsSince2001":1e+300}"#)
        #expect(DecodedValue.date(seconds: .nan).json == #"{"$secondsSince2001":{"$double":"nan"}}"#)
    }

    /// Foundation's own text of such a date would stop the program.
    @Test(arguments: [1e300, -1e300, .infinity, -.infinity, .nan, 1e19, .greatestFiniteMagnitude] as [Double])
    func storedDatesBeyondTheCalendarAreShownInEachForm(seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let bare = [try propertyList(["when": [date]]), try archive(["when": [date]]), try archive(date)]
        // As a key of a dictionary, and in a set.
        for bytes in bare + [try archive([date: "x"] as NSDictionary), try archive(NSSet(object: date))] {
            let decoded = ObjectDecoder().decode(Array(bytes))
            #expect(decoded.error == nil && decoded.json.contains("secondsSince2001"))
            let outline = DecodedOutline(decoded.value)
            #expect(
                outline.lines(0..<9).contains { line in
                    line.text.contains("s since 2001") || line.name?.contains("ince") == true
                })
            var found: [UInt8] = []
            Array(bytes).withUnsafeBytes { ObjectDecoder().searchText($0, into: &found) }
            #expect(String(decoding: found, as: UTF8.self).contains("s since 2001"))
        }
    }

    @Test func everyDayIsTheDayThatFoundationHas() throws {
        let formatter = ISO8601DateFormatter()
        var random = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            let seconds = Double(random.below(20_000_000_000)) - 10_000_000_000
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            // Before 1582 Foundation uses the Julian calendar.
            #expect(ISODate.text(date) == formatter.string(from: date))
            let text = try #require(ISODate.text(date))
            #expect(XMLScalars.date(text) == seconds)
        }
    }
}
