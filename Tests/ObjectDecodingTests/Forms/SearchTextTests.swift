import Foundation
import ObjectDecoding
import Testing

/// The text that a search examines has what data inside a value means, within what its bytes can expand to.
@Suite struct SearchTextTests {
    private func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        bytes.withUnsafeBytes { ObjectDecoder().searchText($0, into: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    private func list(_ value: Any) throws -> [UInt8] {
        Array(try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
    }

    @Test func textInCompressedDataInsideAValueIsThere() throws {
        let inner = try Deflate.gzip(Array(#"{"note":"needle"}"#.utf8))
        let plain = try Deflate.gzip(Array("a haystack".utf8))
        let outer = try Deflate.gzip(list(["deep": Data(inner), "plain": Data(plain)]))
        let found = text(try list(["title": "box", "payload": Data(outer)]))
        for word in ["title", "box", "payload", "deep", "note", "needle", "a haystack"] {
            #expect(found.contains(word), "\(word)")
        }
    }

    /// A list that names the same compressed bytes again and again.
    @Test func whatIsNamedAgainAndAgainIsExpandedWithinABound() throws {
        let data = try Deflate.gzip(Array(("\"" + String(repeating: "a", count: 1 << 20) + "\"").utf8))
        var list = RawPropertyList(objects: [RawPropertyList.array(Array(repeating: 1, count: 2_000))])
        list.objects.append(RawPropertyList.sized(0x40, data.count) + data)
        let bytes = list.bytes
        let found = text(bytes)
        #expect(found.utf8.count > 1 << 20 && found.utf8.count <= 16 << 20 + 1_100 * bytes.count)
    }
}
