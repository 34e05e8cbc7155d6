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
