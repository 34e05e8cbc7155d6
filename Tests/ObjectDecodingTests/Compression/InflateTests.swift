import Foundation
import Testing

@testable import ObjectDecoding

@Suite struct InflateTests {
    @Test func theChainGoesOnInsideCompressedBytes() throws {
        let object = ObjectDecoder().decode(try Deflate.gzip(Array(#"{"a":1}"#.utf8)))
        #expect(object.formats == [.gzip, .json] && object.json == #"{"a":1}"#)
        let zlib = ObjectDecoder().decode(try Deflate.zlib(Array(try archive("x" as NSString))))
        #expect(zlib.formats == [.gzip, .archive] && zlib.json == #""x""#)
    }

    @Test func compressedBytesInsideOthersEndAtALimit() throws {
        var bytes = Array("deep".utf8)
        for _ in 0..<10 { bytes = try Deflate.gzip(bytes) }
        #expect(json(bytes).contains("The bytes are compressed more than 4 times."))
    }

    @Test func ofABombTheBeginningIsShown() throws {
        let bomb = try Deflate.gzip([UInt8](repeating: 0, count: 12 << 20))
        #expect(bomb.count < 40_000)
        let object = ObjectDecoder().decode(bomb)
        #expect(object.formats == [.gzip, .hex] && object.size == bomb.count)
        guard case .bytes(let content, let error?) = object.value else { Issue.record("\(object.formats)"); return }
        #expect(content.count == 8 << 20 && content.allSatisfy { $0 == 0 })
        #expect(error == "The content is larger than 8,388,608 bytes; only its beginning is shown.")
    }

    /// Cut where a character begins, at each of its inner bytes, and where it ends.
    @Test(arguments: 0..<8) func ofALongTextTheBeginningIsShownWithAMark(offset: Int) throws {
        var options = DecodingOptions()
        options.inflatedLimit = 1_000
        let text = String(repeating: "x", count: offset) + String(repeating: "😀", count: 300)
        for bytes in [try Deflate.gzip(Array(text.utf8)), try Deflate.zlib(Array(text.utf8))] {
            let object = ObjectDecoder(options: options).decode(bytes)
            guard case .string(let shown) = object.value else { Issue.record("\(object)"); return }
            #expect(object.formats == [.gzip, .text])
            #expect(text.hasPrefix(shown) && (997...1_000).contains(shown.utf8.count))
            #expect(object.error == "The content is larger than 1,000 bytes; only its beginning is shown.")
            #expect(
                object.json.hasPrefix(#"{"$partial":""#) && object.json.hasSuffix(#"only its beginning is shown."}"#))
        }
    }

    @Test func whatIsJustAsLongAsTheLimitIsWhole() throws {
        var options = DecodingOptions()
        options.inflatedLimit = 1_000
        let text = Array(repeating: UInt8(ascii: "x"), count: 1_000)
        let object = ObjectDecoder(options: options).decode(try Deflate.gzip(text))
        #expect(object.error == nil && object.value == .string(String(decoding: text, as: UTF8.self)))
    }

    @Test func damageIsNamed() throws {
        let good = try Deflate.gzip(Array(repeating: UInt8(ascii: "x"), count: 10_000))
        #expect(json(good.dropLast(5)).contains("cut off after 10,000 bytes of content"))
        #expect(json(good + [1, 2]).contains("2 bytes follow the compressed ones."))
        var flipped = good
        flipped[good.count - 6] ^= 1
        #expect(json(flipped).contains("damaged after 10,000 bytes of content"))
    }
}
