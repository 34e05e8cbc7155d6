import Foundation

/// What the containers of ``ValueDecoder`` read from: the bytes of one format, in place.
///
/// A value is a *node*, a number that the format gives it. Whatever is not as expected (a missing key, a number of another
/// type, a decoder that asks for its coding path) makes the result *uncertain*: Foundation's decoder decodes the bytes, with
/// its own errors. So only what goes well has to be equal to Foundation here.
class ValueReader {
    static let depthLimit = 400

    struct State {
        var isUncertain = false
        /// The number of values that may still be read; negative if the bytes ask for more than sound bytes of their size do.
        var valuesLeft = Int.max
    }

    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    /// Where the last key was found in the object at each depth, because keys usually have the order of the type's fields.
    let hints = UnsafeMutablePointer<Int>.allocate(capacity: depthLimit + 1)

    init() { state.initialize(to: State()) }

    deinit {
        state.deallocate()
        hints.deallocate()
    }

    // MARK: The format

    func isNull(_ node: Int) -> Bool { false }
    func bool(_ node: Int) -> Bool? { nil }
    func int64(_ node: Int) -> Int64? { nil }
    func uint64(_ node: Int) -> UInt64? { nil }
    func double(_ node: Int) -> Double? { nil }
    func float(_ node: Int) -> Float? { nil }
    func string(_ node: Int) -> String? { nil }
    func date(_ node: Int) -> Date? { nil }
    func data(_ node: Int) -> Data? { nil }
    /// Whether the format has a form of its own for URLs and decimal numbers.
    var hasFormOfURL: Bool { false }
    func url(_ node: Int) -> URL? { nil }
    func decimal(_ node: Int) -> Decimal? { nil }

    /// The entries of an object; nil for another value.
    func object(_ node: Int) -> Children? { nil }
    /// The elements of an array; nil for another value.
    func array(_ node: Int) -> Children? { nil }
    /// The value of a key; nil without the key.
    func find(_ key: String, in object: Children, _ hint: UnsafeMutablePointer<Int>) -> Int? { nil }
    /// All keys, each once; nil if they are invalid.
    func keys(of object: Children) -> [String]? { nil }
    /// The element at a place, which follows that of the last call or is 0.
    func element(of array: Children, _ place: inout Place) -> Int { 0 }

    struct Children {
        var start: Int
        var count: Int
        /// The node itself.
        var node: Int
    }

    struct Place {
        var index = 0
        /// For the format.
        var next = 0
    }
}

extension ValueReader {
    /// The error of everything that is left to Foundation.
    final func uncertain() -> any Error {
        state.pointee.isUncertain = true
        return DecodingError.dataCorrupted(
            .init(codingPath: [], debugDescription: "The bytes do not hold the value that was asked for."))
    }

    @inline(__always) final func require<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw uncertain() }
        return value
    }

    @inline(__always) final func read<Value: Decodable>(_ type: Value.Type, _ node: Int, _ depth: Int) throws -> Value {
        state.pointee.valuesLeft &-= 1
        if Value.self == String.self {
            return unsafeBitCast(try require(string(node)), to: Value.self)
        } else if Value.self == Int.self {
            return unsafeBitCast(Int(try require(int64(node))), to: Value.self)
        } else if Value.self == Double.self {
            return unsafeBitCast(try require(double(node)), to: Value.self)
        } else if Value.self == Bool.self {
            return unsafeBitCast(try require(bool(node)), to: Value.self)
        } else if Value.self == Date.self {
            return unsafeBitCast(try require(date(node)), to: Value.self)
        }
        return try readRare(type, node, depth)
    }

    private final func readRare<Value: Decodable>(_ type: Value.Type, _ node: Int, _ depth: Int) throws -> Value {
        if Value.self == Data.self {
            return unsafeBitCast(try require(data(node)), to: Value.self)
        } else if Value.self == Float.self {
            return unsafeBitCast(try require(float(node)), to: Value.self)
        } else if hasFormOfURL, Value.self == URL.self {
            return unsafeBitCast(try require(url(node)), to: Value.self)
        } else if hasFormOfURL, Value.self == Decimal.self {
            return unsafeBitCast(try require(decimal(node)), to: Value.self)
        } else if Value.self == Int64.self {
            return unsafeBitCast(try require(int64(node)), to: Value.self)
        } else if Value.self == Int32.self {
            return unsafeBitCast(try narrow(node) as Int32, to: Value.self)
        } else if Value.self == Int16.self {
            return unsafeBitCast(try narrow(node) as Int16, to: Value.self)
        } else if Value.self == Int8.self {
            return unsafeBitCast(try narrow(node) as Int8, to: Value.self)
        } else if Value.self == UInt8.self {
            return unsafeBitCast(try narrow(node) as UInt8, to: Value.self)
        } else if Value.self == UInt16.self {
            return unsafeBitCast(try narrow(node) as UInt16, to: Value.self)
        } else if Value.self == UInt32.self {
            return unsafeBitCast(try narrow(node) as UInt32, to: Value.self)
        } else if Value.self == UInt64.self {
            return unsafeBitCast(try require(uint64(node)), to: Value.self)
        } else if Value.self == UInt.self {
            return unsafeBitCast(UInt(try require(uint64(node))), to: Value.self)
        } else if Value.self == Int128.self || Value.self == UInt128.self {
            throw uncertain()
        }
        guard depth < Self.depthLimit, state.pointee.valuesLeft >= 0 else { throw uncertain() }
        return try Value(from: ValueDecoder(reader: self, node: node, depth: depth))
    }

    private final func narrow<Number: FixedWidthInteger>(_ node: Int) throws -> Number {
        try require(Number(exactly: try require(int64(node))))
    }
}
