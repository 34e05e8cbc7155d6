import SeededRandom

/// Random bytes that are JSON, or nearly: objects whose names repeat and are escaped, numbers in every spelling, nesting, characters beyond
/// ASCII, halves of surrogate pairs, and damage.
public struct RandomJSON {
    /// The names of the members; `K` twice, once as the Kelvin sign.
    public static let names = ["price", "genre", "a.b", "a", "é", "K", "\u{212A}", "\"", ""]

    private var random: SplitMix64

    public init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// An object in JSON.
    public mutating func object() -> [UInt8] { Array((object(depth: 0) + space()).utf8) }

    /// The same bytes with something changed, so that they are often no JSON, no object, or no text.
    public mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: bytes.removeLast(min(place, bytes.count))
        case 1: bytes.insert([0xEF, 0xBB, 0xBF], at: 0)
        case 2: bytes.insert([UInt8(ascii: " ")], at: 0)
        case 3: bytes = Array("[".utf8) + bytes + Array("]".utf8)
        case 4: bytes += [UInt8(ascii: "}")]
        case 5:
            bytes.insert([[0xC3], [0xED, 0xA0, 0x80], [0xFF], [0], [0x7F]].randomElement(using: &random)!, at: place)
        case 6: bytes.insert([Array(#"{}[],:"\0-e.tn1"#.utf8).randomElement(using: &random)!], at: place)
        case 7: if !bytes.isEmpty { bytes.remove(at: place) }
        case 8: bytes = bytes.flatMap { [$0, 0] }
        default: if !bytes.isEmpty { bytes[place] = UInt8.random(in: 0...255, using: &random) }
        }
        return bytes
    }

    private mutating func object(depth: Int) -> String {
        let members = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
            space() + name() + space() + ":" + space() + value(depth: depth + 1) + space()
        }
        return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    }

    private mutating func value(depth: Int) -> String {
        // Now and then deeper than what is read without decoding.
        if Int.random(in: 0..<60, using: &random) == 0 {
            let levels = Int.random(in: 58..<110, using: &random)
            return String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)
        }
        switch Int.random(in: 0..<(depth > 4 ? 6 : 9), using: &random) {
        case 0, 1: return Self.numbers.randomElement(using: &random)!
        case 2, 3: return text()
        case 4: return ["true", "false", "null"].randomElement(using: &random)!
        case 5: return String(Double.random(in: -1e6...1e6, using: &random))
        case 6, 7: return object(depth: depth)
        default:
            let values = (0..<Int.random(in: 0..<4, using: &random)).map { _ in space() + value(depth: depth + 1) }
            return "[" + values.joined(separator: ",") + space() + "]"
        }
    }

    private static let numbers = [
        "0", "-0", "1", "27.61", "1.0", "1e2", "1E+400", "-1e-400", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "0.1",
        "0.30000000000000004", "123456789012345678901234567890.5", "1.7976931348623157e308", "5e-324", "01", "1.", "-",
    ]

    private mutating func name() -> String {
        var name = Self.names.randomElement(using: &random)!
        if name == "é", Bool.random(using: &random) { name = "e\u{301}" }
        return quoted(name)
    }

    private mutating func text() -> String {
        [
            quoted("sci-fi"), quoted("a longer text, with an \u{1F600} and é in it"), quoted(""), #""\ud83d\ude00""#,
            #""\ud83d""#, #""\udc00x""#, #""\n\t\/\b""#, #""\u0000""#, quoted("2016-11-05T00:53:20Z"), quoted("\u{7F}"),
        ].randomElement(using: &random)!
    }

    private mutating func quoted(_ text: String) -> String {
        "\""
            + text.unicodeScalars.map { scalar in
                if scalar == "\"" || scalar == "\\" { return "\\" + String(scalar) }
                guard scalar.value < 0x10000, Int.random(in: 0..<12, using: &random) == 0 else { return String(scalar) }
                let digits = String(scalar.value, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined() + "\""
    }

    private mutating func space() -> String {
        Int.random(in: 0..<8, using: &random) == 0 ? [" ", "\n", "\t \r"].randomElement(using: &random)! : ""
    }
}

extension [UInt8] {
    fileprivate mutating func insert(_ bytes: [UInt8], at place: Int) { insert(contentsOf: bytes, at: place) }
}
