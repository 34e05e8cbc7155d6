import Foundation
import TestSupport
import Testing

@testable import ObjectDecoding

/// Random values, encoded by Foundation in each format, are decoded to the same values.
@Suite struct RoundTripTests {
    @Test(arguments: Effort.some([UInt64](1...60))) func randomValuesComeBack(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let value = RandomValue.list(depth: 4, &random)
        let binary = Array(try propertyList(value.plain))
        let encodings: [(String, [UInt8], [ObjectFormat])] = [
            ("binary list", binary, [.plist]), ("XML list", Array(try propertyList(value.plain, .xml)), [.xml]),
            ("archive", Array(try archive(value.plain)), [.archive]),
            ("gzip", try Deflate.gzip(binary), [.gzip, .plist]),
        ]
        for (name, bytes, formats) in encodings {
            let object = ObjectDecoder().decode(bytes)
            #expect(object.formats == formats && object.error == nil, "\(name), seed \(seed)")
            #expect(object.value.inOrder == value.decoded.inOrder, "\(name), seed \(seed)")
        }
    }
}

/// A random value in two forms: as Foundation encodes it, and as the decoder should return it.
private struct RandomValue {
    let plain: Any
    let decoded: DecodedValue

    static func list(depth: Int, _ random: inout SplitMix64) -> RandomValue {
        let elements = (0..<random.below(6)).map { _ in any(depth: depth - 1, &random) }
        return RandomValue(plain: elements.map(\.plain), decoded: .array(elements.map(\.decoded)))
    }

    private static func any(depth: Int, _ random: inout SplitMix64) -> RandomValue {
        switch random.below(depth > 0 ? 9 : 7) {
        case 0:
            // Foundation's archiver treats 1 and true as the same object.
            let number = random.pick([2, -1, .max, .min, Int64(2 + random.below(1_000_000))])
            return RandomValue(plain: NSNumber(value: number), decoded: .integer(number))
        case 1: return RandomValue(plain: true, decoded: .bool(true))
        case 2:
            let number = Double(random.below(1_000_000)) / 1024 + 0.125
            return RandomValue(plain: number, decoded: .double(number))
        case 3, 4:
            let text = (0..<random.below(20)).map { _ in random.pick(["a", "é", "😀", "\n", "<&>", "k "]) }.joined()
            return RandomValue(plain: text, decoded: .string(text))
        case 5:
            let seconds = Double(random.below(1_000_000_000))
            return RandomValue(plain: Date(timeIntervalSinceReferenceDate: seconds), decoded: .date(seconds: seconds))
        case 6:
            let data = (0..<random.below(100)).map { _ in UInt8(random.below(256)) }
            return RandomValue(plain: Data(data), decoded: .data(data))
        case 7: return list(depth: depth, &random)
        default: return dictionary(depth: depth, &random)
        }
    }

    private static func dictionary(depth: Int, _ random: inout SplitMix64) -> RandomValue {
        var (plain, fields): ([String: Any], [DecodedField]) = ([:], [])
        for number in 0..<random.below(6) {
            let value = any(depth: depth - 1, &random)
            plain["key \(number)"] = value.plain
            fields.append(DecodedField("key \(number)", value.decoded))
        }
        return RandomValue(plain: plain, decoded: .dictionary(fields))
    }
}

extension DecodedValue {
    /// The value with the fields of all dictionaries sorted by name.
    fileprivate var inOrder: DecodedValue {
        switch self {
        case .array(let values): .array(values.map(\.inOrder))
        case .dictionary(let fields):
            .dictionary(
                fields.map { DecodedField(key: $0.key, value: $0.value.inOrder) }
                    .sorted { $0.name ?? "" < $1.name ?? "" })
        default: self
        }
    }
}
