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

    @Test func aBombIsNotInflatedWhole() throws {
        let bomb = try Deflate.gzip([UInt8](repeating: 0x20, count: 12 << 20))
        #expect(bomb.count < 40_000)
        #expect(json(bomb).contains("The content is larger than 8,388,608 bytes."))
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
