import Foundation
import Testing

@testable import ObjectDecoding

/// Damaged bytes always give a value with all its forms, and the JSON form is valid JSON.
@Suite struct DamageTests {
    private static let vectors: [String: [UInt8]] = {
        var vectors: [String: [UInt8]] = [:]
        for file in ["chat", "books", "json"] {
            let rows = (try? StoredRow.all(ofFile: file)) ?? []
            vectors[file] = rows.max { $0.object.count < $1.object.count }?.object
        }
        vectors["xml"] = (try? propertyList(["a": [1, "x", Data([1, 2, 3]), Date()]], .xml)).map(Array.init)
        vectors["gzip"] = try? Deflate.gzip(Array(#"{"compressed": [1, 2, 3]}"#.utf8))
        vectors["protobuf"] = [0x08, 0x96, 0x01, 0x12, 3] + Array("abc".utf8) + [0x1a, 2, 0x08, 0x01]
        return vectors
    }()

    @Test func everyVectorIsThere() {
        #expect(Self.vectors.count == 6)
    }

    @Test(arguments: vectors.keys.sorted()) func everyTruncationHasAForm(name: String) throws {
        let bytes = try #require(Self.vectors[name])
        for count in 0..<bytes.count { try expectForms(of: Array(bytes.prefix(count)), "\(name) cut to \(count)") }
    }

    @Test(arguments: vectors.keys.sorted()) func flippedBytesHaveAForm(name: String) throws {
        let bytes = try #require(Self.vectors[name])
        for seed in 1...600 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            var damaged = bytes
            for _ in 0...random.below(3) {
                damaged[random.below(damaged.count)] = random.pick([0, 0xff, UInt8(random.below(256))])
            }
            try expectForms(of: damaged, "\(name), seed \(seed)")
        }
    }

    private func expectForms(of bytes: [UInt8], _ what: String) throws {
        for formats in [[], [.protobuf], [.json, .text]] as [[ObjectFormat]] {
            let object = ObjectDecoder(formats: formats).decode(bytes)
            let form = object.json
            #expect(!form.contains("\n"), "\(what): \(form)")
            do {
                var strict = StrictJSON(form)
                try strict.read()
            } catch {
                Issue.record("\(what): \(error) in \(form)")
            }
            let outline = DecodedOutline(object.value)
            #expect(outline.lines(0..<outline.count).count == outline.count)
            _ = object.value.summary()
        }
    }
}
