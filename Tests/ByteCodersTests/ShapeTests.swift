import ByteCoders
import Foundation
import SeededRandom
import TestSupport
import Testing

/// Values of random types, ours against Foundation both ways. `YAP_FUZZ=1` goes on for `YAP_FUZZ_SECONDS` seconds.
@Suite struct ByteCodingFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = environment["YAP_FUZZ"] == nil ? nil : Double(environment["YAP_FUZZ_SECONDS"] ?? "60")
    private static let firstSeed = environment["YAP_FUZZ_SEED"].flatMap(UInt64.init) ?? 1

    @Test(arguments: Format.allCases) func bothReadWhatTheOtherWrites(_ format: Format) throws {
        var (own, all) = (0, 0)
        try rounds(Effort.cases(50_000)) { random, seed in
            let shape = Shape.random(&random)
            all += 1
            guard let theirs = try? format.theirs.encode(shape) else {
                #expect(format.encode(shape) == nil, "seed \(seed): only we encode \(shape)")
                return
            }
            try Shape.$form.withValue(shape) {
                let expected = try format.theirs.decode(theirs)
                if let ours = format.encode(shape) {
                    own += 1
                    let read = try? format.theirs.decode(ours)
                    #expect(
                        read == expected, "seed \(seed): Foundation reads something else of what we wrote: \(shape)")
                    #expect(
                        try format.decode(ours) == expected, "seed \(seed): we do not read what we wrote: \(shape)")
                }
                #expect(
                    try format.decode(theirs) == expected,
                    "seed \(seed): we do not read what Foundation wrote: \(shape)")
            }
        }
        // Little is left to Foundation.
        #expect(own > all * 9 / 10)
    }

    /// Damaged bytes: whatever we make of them, Foundation makes the same of them. It refuses a property list with a damaged
    /// part that is not asked for, which we do not look at.
    @Test(arguments: Format.allCases) func damagedBytesAreReadAsFoundationReadsThem(_ format: Format) throws {
        rounds(Effort.cases(5_000)) { random, seed in
            let shape = Shape.random(&random)
            guard var bytes = try? format.theirs.encode(shape) else { return }
            for _ in 0...random.below(3) where !bytes.isEmpty {
                let place = bytes.startIndex + random.below(bytes.count)
                switch random.below(4) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes[place] ^= 1 << UInt8(random.below(8))
                case 2: bytes.remove(at: place)
                default: bytes.insert(random.pick(Array(#"{}[]",:\0123456789.eE-tfn "#.utf8)), at: place)
                }
            }
            Shape.$form.withValue(shape) {
                guard let ours = (try? format.decode(bytes))?.comparable else { return }
                let theirs = (try? format.theirs.decode(bytes))?.comparable
                #expect(
                    ours == theirs || theirs == nil && format == .propertyList,
                    "seed \(seed): we read \(ours), Foundation \(String(describing: theirs)) of \(Array(bytes))")
            }
        }
    }

    /// What the test above found in long runs.
    @Test(arguments: [
        #"["\u000"]"#, #"["a\u000",null]"#, #"[0e1]"#, #"[-0E1]"#, #"[0.0e1]"#, #"[10e1]"#, #"["\uD83D\uDE00"]"#,
    ]) func oddTextIsReadAsFoundationReadsIt(_ text: String) {
        let json = Format.json
        func expectSame<Value: Decodable & Equatable>(_ type: [Value].Type) {
            guard let ours = try? json.decode(type, Data(text.utf8)) else { return }
            #expect(ours == (try? json.theirs.decode(type, Data(text.utf8))))
        }
        expectSame([Double].self)
        expectSame([String].self)
        expectSame([Int?].self)
    }

    @Test func theNullOfThePropertyListFormatIsNull() throws {
        var bytes = Data("bplist00".utf8)
        bytes += [0xa1, 1, 0x00, 8, 10] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 2]
        bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 11]
        let theirs = try Format.propertyList.theirs.decode([Int?].self, bytes)
        #expect(theirs == [nil])
        #expect(try Format.propertyList.decode([Int?].self, bytes) == theirs)
    }

    private func rounds(_ count: Int, _ body: (inout SplitMix64, UInt64) throws -> Void) rethrows {
        let end = Self.seconds.map { Date(timeIntervalSinceNow: $0) }
        var seed = Self.firstSeed
        while end.map({ $0 > Date() }) ?? (seed < Self.firstSeed + UInt64(count)) {
            var random = SplitMix64(seed: seed)
            try body(&random, seed)
            seed += 1
        }
    }
}

enum Format: CaseIterable, Sendable {
    case json, propertyList

    func encode(_ value: some Encodable) -> Data? {
        switch self {
        case .json: ByteCoding.json(value)
        case .propertyList: ByteCoding.propertyList(value)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value? {
        switch self {
        case .json: ByteCoding.decodeJSON(type, from: data)
        case .propertyList: try ByteCoding.decodePropertyList(type, from: data)
        }
    }

    func decode(_ data: Data) throws -> Shape? { try decode(Shape.self, data) }

    var theirs: Theirs { Theirs(format: self) }
}

/// Foundation's coders.
struct Theirs {
    let format: Format

    func encode(_ value: some Encodable) throws -> Data {
        if format == .json { return try JSONEncoder().encode(value) }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode(value)
    }

    func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        format == .json
            ? try JSONDecoder().decode(type, from: data) : try PropertyListDecoder().decode(type, from: data)
    }

    func decode(_ data: Data) throws -> Shape { try decode(Shape.self, data) }
}

extension Shape {
    /// Without what need not be the same: the bits of a number that is none, and which of two values a key has whose spellings differ
    /// (`-5` and `-05`), as Foundation reads keys in any order.
    fileprivate var comparable: Shape {
        switch self {
        case .double(let value) where value.isNaN: .string("not a number")
        case .float(let value) where value.isNaN: .string("not a number")
        // Foundation cannot describe every date.
        case .date(let value): .string("\(value.timeIntervalSinceReferenceDate)")
        case .some(let value): .some(value.comparable)
        case .array(let elements, let isNested): .array(elements.map(\.comparable), isNested: isNested)
        case .object(let entries, let style):
            .object(entries.map { Entry(key: $0.key, value: $0.value.comparable) }, style)
        case .numbers(let numbers): .numbers(numbers.mapValues { _ in "" })
        default: self
        }
    }
}
