import Foundation
import TestSupport
import Testing

@testable import ViewPageKeys

/// Keys of pages as 16 bytes.
@Suite struct PageNameTests {
    @Test func theTextOfAUUIDIsMadeAgain() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<2_000 {
            let bytes = (random.next(), random.next())
            let uuid = withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            let key = PageKey(uuid.uuidString)
            #expect(key.isUUID && key.text == uuid.uuidString && PageKey(uuid: key.name).text == uuid.uuidString)
        }
        let fresh = PageKey.random()
        #expect(UUID(uuidString: fresh.text)?.uuidString == fresh.text && PageKey(fresh.text).name == fresh.name)
        #expect(Array(fresh.text)[14] == "4" && "89AB".contains(Array(fresh.text)[19]))
    }

    /// The names of UUIDs have the order of their texts in every process.
    @Test func namesAreOrderedAsTheirTexts() {
        let texts = (0..<500).map { _ in UUID().uuidString }
        #expect(texts.sorted() == texts.sorted { PageName($0) < PageName($1) })
    }

    @Test func everyOtherTextIsKept() {
        let text = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
        #expect(PageKey(text).isUUID)
        var others = ["", "p", text.lowercased(), text + "0", String(text.dropLast())]
        // Every byte in every place, if it makes no UUID.
        let digits = Set("0123456789ABCDEF".utf8)
        for place in 0..<36 {
            for byte in UInt8.min...UInt8.max {
                var bytes = Array(text.utf8)
                let isDash = bytes[place] == UInt8(ascii: "-")
                bytes[place] = byte
                let key = bytes.withUnsafeBytes { PageKey($0) }
                let isUUID = isDash ? byte == UInt8(ascii: "-") : digits.contains(byte)
                if key.isUUID != isUUID { Issue.record("byte \(byte) at \(place)") }
                if byte < 0x80, key.text != String(decoding: bytes, as: UTF8.self) {
                    Issue.record("byte \(byte) at \(place)")
                }
            }
        }
        others.append(text.replacing("-", with: "0"))
        for other in others { #expect(!PageKey(other).isUUID && PageKey(other).text == other) }
        #expect(Set((others + [text]).map { PageName($0) }).count == others.count + 1)
    }
}
