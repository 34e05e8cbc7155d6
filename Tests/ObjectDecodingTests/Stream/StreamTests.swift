import Foundation
import Testing

@testable import ObjectDecoding

/// The output of a stream equals the form of the decoded value.
@Suite struct StreamTests {
    @Test(arguments: ["books", "chat", "json"]) func storedRowsAreTheSame(name: String) throws {
        for row in try StoredRow.all(ofFile: name) {
            for bytes in [row.object, row.metadata] where !bytes.isEmpty { expectSame(bytes, "rowid \(row)") }
        }
    }

    /// Every seed of the fuzzer, unchanged and with bytes changed, removed and inserted.
    @Test(arguments: try corpus()) func whatAFuzzerBeginsWithIsTheSame(file: URL) throws {
        let bytes = Array(try Data(contentsOf: file))
        expectSame(bytes, file.lastPathComponent)
        for seed in 1...Effort.cases(12 as UInt64) {
            var random = SplitMix64(seed: seed)
            var changed = bytes
            for _ in 0..<(1 + random.below(3)) where !changed.isEmpty {
                let place = random.below(changed.count)
                switch random.below(4) {
                case 0: changed[place] ^= 1 << UInt8(random.below(8))
                case 1: changed[place] = UInt8(random.below(256))
                case 2: changed.removeSubrange(place..<min(changed.count, place + 1 + random.below(8)))
                default: changed.insert(UInt8(random.below(256)), at: place)
                }
            }
            expectSame(changed, "\(file.lastPathComponent), seed \(seed)")
        }
    }

    @Test(arguments: [
        #"{"a":1,"$b":{"$$":"x"},"":-0,"e":1E+05,"f":1.50,"g":123456789012345678901234567890}"#, " [ 1 , [ ] , { } ] ",
        #"["\u0041\ud83d\ude00\ud83d\u12","\/\b\f\n\r\t\"\\"]"#, #"["\ud800","\udc00\ud800x","\ud800\ud800\udc00"]"#,
        "[\"\u{7f}\u{9b}\u{202e}é\u{feff}\u{1F600}\"]", "[01]", "[1.]", "[1,]", "{\"a\"}", "tru", "true", "nul", "-",
        "\"a",
        "\"a\"", "12345678", "text", "tea", "1 2", "{bad", " {bad", "\u{feff}{\"a\":1}", "<plist>", "", " ",
        "[\"\u{01}\"]",
    ]) func textsAreTheSame(text: String) { expectSame(Array(text.utf8), text) }

    @Test func archivesOfEveryKindAreTheSame() throws {
        let shared: NSDictionary = ["a": 1, "b": [1, 2]]
        let url = try #require(NSURL(string: "https://example.org/a"))
        let values: [Any] = [
            ["é": "ü", "😀": "\u{202e}", "$x": NSNull()] as NSDictionary, [shared, shared, [shared]] as NSArray,
            NSSet(array: [1, 2.5, true]), url, NSUUID(), NSDate(timeIntervalSinceReferenceDate: 0.125),
            NSDate(timeIntervalSinceReferenceDate: 1e20), Data([1, 2, 3]) as NSData, "x" as NSString,
            [1: "a", "b": 2] as NSDictionary,
            NSNumber(value: UInt64.max), NSNumber(value: -Double.infinity),
        ]
        for value in values {
            expectSame(Array(try archive(value)), "\(value)")
            expectSame(Array(try archive([value, ["x": value]] as NSArray)), "\(value)")
        }
    }

    @Test func whatIsInsideItselfIsAReference() throws {
        let archive = RawArchive.ring
        expectSame(archive, "a ring")
        var output = JSONOutput(isTerminalSafe: false)
        ObjectDecoder().write(archive, to: &output)
        #expect(String(decoding: output.bytes, as: UTF8.self).contains(#"{"$ref":"$"}"#))
    }

    /// An array or a set is as open as a dictionary. Each list names its objects' children; the first object is the root.
    @Test(arguments: [
        (["a0"], #"[{"$ref":"$"}]"#), (["s0"], #"{"$set":[{"$ref":"$"}]}"#),
        (["a1", "s0,1"], #"[{"$set":[{"$ref":"$"},{"$ref":"$[0]"}]}]"#), (["a1", "d0"], #"[{"k":{"$ref":"$"}}]"#),
        (["d1", "a0,1"], #"{"k":[{"$ref":"$"},{"$ref":"$.k"}]}"#),
        (["s1", "d2", "a1,0"], #"{"$set":[{"k":[{"$ref":"$[0]"},{"$ref":"$"}]}]}"#), (["a1,1", "a"], "[[],[]]"),
    ])
    func aListThatContainsItselfIsAReference(objects: [String], form: String) {
        let bytes = propertyList(objects)
        #expect(written(bytes) == (form, false))
        expectSame(bytes, "\(objects)")
    }

    /// What is open is not opened again, so nothing nests deeper than the list has objects.
    @Test func nothingNestsDeeperThanItsObjects() throws {
        for seed in 1...Effort.cases(300 as UInt64) {
            var random = SplitMix64(seed: seed)
            let count = 1 + random.below(5)
            let objects = (0..<count).map { _ in
                let kind = random.pick(["a", "s", "d"])
                let most = kind == "d" ? 1 : 3
                return kind + (0..<random.below(most + 1)).map { _ in "\(random.below(count))" }.joined(separator: ",")
            }
            let (form, _) = written(propertyList(objects))
            var strict = StrictJSON(form)
            try strict.read()
            // A set and a reference have braces of their own. The path of a reference has brackets, too, as text.
            var (depth, deepest, isText) = (0, 0, false)
            for byte in form.utf8 {
                if byte == UInt8(ascii: "\"") { isText.toggle() }
                if isText { continue }
                if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
                if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
                deepest = max(deepest, depth)
            }
            #expect(deepest <= 2 * count + 1, "seed \(seed), \(objects): \(form)")
        }
    }

    /// Each of many nested lists refers to the innermost: their paths would be a gigabyte.
    @Test func pathsOfManyReferencesAreBounded() {
        let count = 20_000
        let chain = (0..<count).map { "a\($0 + 1 < count ? $0 + 1 : 0),\(max(0, $0 - 1))" }
        let (form, isPartial) = written(propertyList(chain))
        #expect(form.utf8.count < 64 << 20 && isPartial)
    }

    /// Arrays, sets, and dictionaries of the one key `k`, by the letter and the indices of their children.
    private func propertyList(_ objects: [String]) -> [UInt8] {
        let key = objects.count
        let raw = objects.map { object in
            let children = object.dropFirst().split(separator: ",").compactMap { Int($0) }
            switch object.first {
            case "d": return RawPropertyList.dictionary(children.map { (key, $0) })
            case "s": return RawPropertyList.set(children)
            default: return RawPropertyList.array(children)
            }
        }
        return RawPropertyList(objects: raw + [RawPropertyList.text("k")]).bytes
    }

    /// Texts that are no Unicode are not taken for others: their form says so, and the search text is the same.
    @Test func whatIsNoUnicodeSaysSo() {
        let halves: [[UInt16]] = [[0xd800], [0xd801], [0xdc00], [0x61, 0xdfff], [0xd800, 0xd800, 0xdc00]]
        var lists = halves.map { RawPropertyList(objects: [RawPropertyList.array([1]), RawPropertyList.text($0)]) }
        lists += [[0xff], [0xc3, 0x28]].map {
            RawPropertyList(objects: [
                RawPropertyList.array([1]), RawPropertyList.sized(0x50, $0.count) + ($0 as [UInt8]),
            ])
        }
        lists += halves.map {
            RawPropertyList(objects: [
                RawPropertyList.dictionary([(1, 2)]), RawPropertyList.text($0), RawPropertyList.integer(1),
            ])
        }
        let texts = [#"["\ud800"]"#, #"["\udc00x"]"#, #"{"\ud801":1}"#, #""\ud800""#, #"{"a":{"b":["\ud800\ud800"]}}"#]
        for bytes in lists.map(\.bytes) + texts.map({ Array($0.utf8) }) {
            let (form, isPartial) = written(bytes)
            #expect(form.hasPrefix(#"{"$partial":"#) && form.contains("no Unicode") && isPartial, "\(form)")
            expectSame(bytes, form)
        }
        let whole: [UInt16] = [0xd83d, 0xde00, 0xfffd]
        let list = RawPropertyList(objects: [RawPropertyList.array([1]), RawPropertyList.text(whole)])
        #expect(written(list.bytes) == ("[\"😀\u{FFFD}\"]", false))
        #expect(written(Array(#"["\ud83d\ude00\ufffd"]"#.utf8)) == ("[\"😀\u{FFFD}\"]", false))
    }

    /// Values larger than any limit of a screen.
    @Test func valuesAreWhole() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let wide = "[" + Array(repeating: "1", count: 300_000).joined(separator: ",") + "]"
        let long = "\"" + String(repeating: "é", count: 3_000_000) + "\""
        for text in [deep, wide, long] {
            let (whole, isPartial) = written(Array(text.utf8))
            #expect(whole == text && !isPartial)
        }
        let bytes = (0..<5_000).map { number -> UInt8 in number % 3 == 0 ? 0xff : UInt8(number % 251) }
        let (form, isPartial) = written(bytes)
        #expect(form.hasPrefix("{\"$hex\":\"\(Hex.text(bytes))\",") && !isPartial)
    }

    /// Only a gzip bomb is cut, with a mark.
    @Test func whatIsCutSaysSo() throws {
        var options = DecodingOptions()
        options.inflatedLimit = 64 << 10
        let bomb = try Deflate.gzip([UInt8](repeating: 0x20, count: 3 << 20))
        let (form, isPartial) = written(bomb, options)
        #expect(isPartial && form.hasPrefix(#"{"$partial":"#))
    }

    private func expectSame(_ bytes: [UInt8], _ what: String) {
        let object = ObjectDecoder(options: DecodingOptions().whole(bytes.count)).decode(bytes)
        let (form, isPartial) = written(bytes)
        // A value has limits of depth and repetition that a stream does not need.
        guard isPartial || !object.isPartial else { return }
        #expect(form == object.json && isPartial == object.isPartial, "\(what): \(Hex.text(bytes.prefix(2_000)))")
        var (found, expected): ([UInt8], [UInt8]) = ([], [])
        bytes.withUnsafeBytes { ObjectDecoder().searchText($0, into: &found) }
        object.value.appendSearchText(to: &expected, limit: .max)
        #expect(found == expected, "search text of \(what)")
    }

    /// Returns the output, which must be equal written at once and in pieces.
    private func written(
        _ bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()
    ) -> (String, isPartial: Bool) {
        var whole = JSONOutput(isTerminalSafe: false)
        ObjectDecoder(options: options).write(bytes, to: &whole)
        let pieces = Pieces()
        var streamed = JSONOutput(isTerminalSafe: false) { pieces.bytes += $0 }
        ObjectDecoder(options: options).write(bytes, to: &streamed)
        streamed.flush()
        #expect(pieces.bytes == whole.bytes && streamed.isPartial == whole.isPartial)
        return (String(decoding: whole.bytes, as: UTF8.self), whole.isPartial)
    }

    private final class Pieces { var bytes: [UInt8] = [] }

    static func corpus() throws -> [URL] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fuzz/Corpus")
        return try ["chain", "archive", "plist", "xml", "json", "protobuf", "gzip", "timestamp"].flatMap { name in
            let path = folder.appending(path: name).standardizedFileURL
            guard FileManager.default.fileExists(atPath: path.path) else { return [URL]() }
            return try FileManager.default.contentsOfDirectory(at: path, includingPropertiesForKeys: nil)
        }
    }
}

extension ObjectDecoder {
    func write(_ bytes: [UInt8], to output: inout JSONOutput) { bytes.withUnsafeBytes { write($0, to: &output) } }
}

private enum RawArchive {
    /// An object of a class `Node` whose field `next` is itself.
    static let ring: [UInt8] = {
        var objects = [RawPropertyList.dictionary([(1, 2), (3, 4), (5, 6)])]
        objects += ["$archiver", "x", "$top"].map(RawPropertyList.text)
        objects += [RawPropertyList.dictionary([(7, 8)]), RawPropertyList.text("$objects")]
        objects.append(RawPropertyList.array([9, 10, 11, 12]))
        objects += [RawPropertyList.text("root"), RawPropertyList.uid(1), RawPropertyList.text("$null")]
        objects.append(RawPropertyList.dictionary([(13, 8), (14, 15), (16, 17)]))
        objects += [RawPropertyList.text("a node"), RawPropertyList.dictionary([(18, 19)])]
        objects += [RawPropertyList.text("next"), RawPropertyList.text("name"), RawPropertyList.uid(2)]
        objects += [RawPropertyList.text("$class"), RawPropertyList.uid(3)]
        objects += [RawPropertyList.text("$classname"), RawPropertyList.text("Node")]
        return RawPropertyList(objects: objects).bytes
    }()
}
