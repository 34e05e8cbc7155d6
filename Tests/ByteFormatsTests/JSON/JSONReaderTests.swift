import Testing

@testable import ByteFormats

@Suite struct JSONReaderTests {
    @Test func readsEveryKindOfValue() throws {
        let json = try JSON(text: #" {"a": [1, -2.5, true, false, null], "b": {}, "c": "x", "d": []} "#)
        #expect(
            json == ["a": [1, .number(-2.5), true, false, .null], "b": .object([]), "c": "x", "d": []] as JSON)
    }

    @Test func ofTwoMembersWithOneNameTheLastCounts() throws {
        #expect(try JSON(text: #"{"a": 1, "a": 2}"#)["a"] == 2)
    }

    @Test(
        arguments: [
            ("0", .integer(0)), ("-0", .integer(0)), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("-9223372036854775809", .number(-9_223_372_036_854_775_808)), ("1e2", .number(100)),
            ("1E+2", .number(100)),
            ("25e-1", .number(2.5)), ("0.1", .number(0.1)),
            ("18446744073709551616", .number(18_446_744_073_709_551_616)),
        ] as [(String, JSON)])
    func readsNumbers(text: String, value: JSON) throws {
        #expect(try JSON(text: text) == value)
    }

    @Test(arguments: [
        (#""""#, ""), (#""a\"b\\c\/d""#, #"a"b\c/d"#), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"), (#""\u00e9A""#, "éA"),
        (#""\uD83D\uDE00!""#, "😀!"), (#""\u0000""#, "\0"), ("\"é😀\u{7F}\"", "é😀\u{7F}"), (#""\uFFFF""#, "\u{FFFF}"),
    ])
    func readsStrings(text: String, value: String) throws {
        #expect(try JSON(text: text) == .string(value))
    }

    /// The column is that of the first invalid byte.
    @Test(arguments: [
        ("", 1), ("  ", 3), ("x", 1), ("{", 2), ("[", 2), ("[1", 3), ("[1,]", 4), ("[1 2]", 4), ("[,1]", 2),
        ("{\"a\"}", 5),
        ("{\"a\":}", 6), ("{\"a\":1,}", 8), ("{a:1}", 2), ("1 2", 3), ("tru", 4), ("nul1", 4), ("01", 2), ("-", 2),
        ("-a", 2), ("1.", 3), (".5", 1), ("1e", 3), ("1e+", 4), ("+1", 1), ("1e999", 1), ("NaN", 1), ("'a'", 1),
        ("\"a", 3), ("\"a\nb\"", 3), ("\"\\x\"", 3), ("\"\\u12g4\"", 6), ("\"\\uD800\"", 4), ("\"\\uDC00\"", 4),
        ("\"\\uD800\\u0041\"", 4), ("\"\\uD800\\n\"", 4), ("[1]]", 4), ("\u{FEFF}1", 1), ("\"\\", 3),
    ])
    func refusesWhatIsNotJSON(text: String, column: Int) {
        let error = #expect(throws: JSONError.self) { try JSON(text: text) }
        #expect(error?.column == column, "\(error?.description ?? "") in \(text)")
    }

    @Test func refusesBytesThatAreNotUTF8() {
        #expect(throws: JSONError(column: 1, problem: "the string is not UTF-8")) {
            try JSONReader.read([UInt8(ascii: "\""), 0xC3, UInt8(ascii: "\"")])
        }
        #expect(throws: JSONError.self) {
            try JSONReader.read([UInt8(ascii: "\""), 0xED, 0xA0, 0x80, UInt8(ascii: "\"")])
        }
    }

    @Test func nestsAsDeepAsTheLimitAndNoDeeper() throws {
        let limit = JSONReader.depthLimit
        let deepest = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        #expect(try JSON(text: deepest).description == deepest)
        let error = #expect(throws: JSONError.self) { try JSON(text: "[" + deepest + "]") }
        #expect(error?.column == limit + 1)
        // The depth of neighbouring values is not added up.
        #expect(try JSON(text: "[\(deepest.dropFirst().dropLast()),[]]") != [])
    }
}
