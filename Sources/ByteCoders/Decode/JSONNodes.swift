import ByteFormats
import Foundation

/// Reads the values of a ``JSONTape``.
final class JSONNodes: ValueReader {
    private let tape = UnsafeMutablePointer<JSONTape>.allocate(capacity: 1)
    private let source = UnsafeMutablePointer<UnsafeRawBufferPointer>.allocate(capacity: 1)
    /// The keys of objects with many, by their nodes.
    private var manyKeys: [Int: [String: Int]] = [:]
    /// An object with more keys finds one by a table.
    private static let scannedKeys = 24

    override init() {
        tape.initialize(to: JSONTape())
        source.initialize(to: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    deinit {
        tape.deinitialize(count: 1)
        tape.deallocate()
        source.deallocate()
    }

    var capacity: Int { tape.pointee.nodes.capacity * MemoryLayout<JSONTape.Node>.stride }

    /// Parses bytes that outlive all reading.
    /// - Returns: false if they are not JSON.
    func load(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.pointee = State()
        tape.pointee.removeAll()
        if !manyKeys.isEmpty { manyKeys = [:] }
        source.pointee = bytes
        return tape.pointee.parse(bytes)
    }

    @inline(__always) private func node(_ index: Int) -> JSONTape.Node { tape.pointee.nodes[index] }

    @inline(__always) private func bytes(_ node: JSONTape.Node) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: source.pointee[Int(node.start)..<Int(node.end)])
    }

    // MARK: Scalars

    override func isNull(_ index: Int) -> Bool { node(index).kind == .null }

    override func bool(_ index: Int) -> Bool? {
        switch node(index).kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    override func int64(_ index: Int) -> Int64? {
        let node = node(index)
        guard node.kind == .integer else { return nil }
        var digits = bytes(node)[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        guard let magnitude = Self.magnitude(digits) else { return nil }
        return isNegative
            ? (magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil) : Int64(exactly: magnitude)
    }

    override func uint64(_ index: Int) -> UInt64? {
        let node = node(index)
        return node.kind == .integer ? Self.magnitude(bytes(node)[...]) : nil
    }

    private static func magnitude(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            let (product, isLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = product.addingReportingOverflow(UInt64(digit &- 0x30))
            guard digit &- 0x30 < 10, !isLarge, !isLarger else { return nil }
            number = sum
        }
        return number
    }

    override func double(_ index: Int) -> Double? {
        let node = node(index)
        guard node.kind == .integer || node.kind == .real else { return nil }
        let bytes = bytes(node)
        if let exact = bytes.shortDecimal { return exact }
        guard let number = Double(String(decoding: bytes, as: UTF8.self)), number.isNormal || bytes.isZero else {
            return nil
        }
        return number
    }

    override func float(_ index: Int) -> Float? {
        let node = node(index)
        guard node.kind == .integer || node.kind == .real else { return nil }
        let bytes = bytes(node)
        guard let number = Float(String(decoding: bytes, as: UTF8.self)), number.isNormal || bytes.isZero else {
            return nil
        }
        return number
    }

    override func date(_ index: Int) -> Date? { double(index).map(Date.init(timeIntervalSinceReferenceDate:)) }

    override func data(_ index: Int) -> Data? { string(index).flatMap { Data(base64Encoded: $0) } }
    override var hasFormOfURL: Bool { true }
    override func url(_ index: Int) -> URL? { string(index).flatMap { URL(string: $0) } }

    override func decimal(_ index: Int) -> Decimal? {
        let node = node(index)
        guard node.kind == .integer || node.kind == .real, node.end - node.start <= 30 else { return nil }
        return Decimal(string: String(decoding: bytes(node), as: UTF8.self))
    }

    override func string(_ index: Int) -> String? {
        let node = node(index)
        guard node.kind == .string else { return nil }
        let bytes = bytes(node)
        if !node.isSpecial { return String(decoding: bytes, as: UTF8.self) }
        if !bytes.contains(UInt8(ascii: "\\")) { return String(validating: bytes, as: UTF8.self) }
        let quoted = source.pointee[Int(node.start) - 1...Int(node.end)]
        var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: quoted))
        return try? scanner.readString()
    }

    // MARK: Containers

    override func object(_ index: Int) -> Children? {
        let node = node(index)
        return node.kind == .object ? Children(start: index + 1, count: Int(node.count), node: index) : nil
    }

    override func array(_ index: Int) -> Children? {
        let node = node(index)
        return node.kind == .array ? Children(start: index + 1, count: Int(node.count), node: index) : nil
    }

    override func element(of array: Children, _ place: inout Place) -> Int {
        let index = place.index == 0 ? array.start : place.next
        place.next = Int(node(index).next)
        return index
    }

    override func find(_ key: String, in object: Children, _ hint: UnsafeMutablePointer<Int>) -> Int? {
        let owner = node(object.node)
        if owner.isSpecial || object.count > Self.scannedKeys { return table(of: object)?[key] }
        var key = key
        return key.withUTF8 { text in
            let wanted = UnsafeRawBufferPointer(text)
            let end = Int(owner.next)
            // If a key is repeated, Foundation takes its first value.
            let isHint = !owner.mayRepeat && hint.pointee > object.start && hint.pointee < end
            let start = isHint ? hint.pointee : object.start
            return scan(wanted, start..<end, hint) ?? scan(wanted, object.start..<start, hint)
        }
    }

    @inline(__always) private func scan(
        _ wanted: UnsafeRawBufferPointer, _ range: Range<Int>, _ hint: UnsafeMutablePointer<Int>
    ) -> Int? {
        var place = range.lowerBound
        while place < range.upperBound {
            let node = node(place)
            if Int(node.end - node.start) == wanted.count, node.start.isPlace(of: wanted, in: source.pointee) {
                hint.pointee = place
                return place + 1
            }
            place = Int(self.node(place + 1).next)
        }
        return nil
    }

    /// The values of all keys; nil if a key is invalid.
    private func table(of object: Children) -> [String: Int]? {
        if let table = manyKeys[object.node] { return table }
        var table: [String: Int] = [:]
        table.reserveCapacity(object.count)
        var place = object.start
        for _ in 0..<object.count {
            guard let key = string(place) else {
                state.pointee.isUncertain = true
                return nil
            }
            if table[key] == nil { table[key] = place + 1 }
            place = Int(node(place + 1).next)
        }
        manyKeys[object.node] = table
        return table
    }

    override func keys(of object: Children) -> [String]? {
        var keys: [String] = []
        var place = object.start
        for _ in 0..<object.count {
            guard let key = string(place) else { return nil }
            keys.append(key)
            place = Int(node(place + 1).next)
        }
        return node(object.node).mayRepeat && Set(keys).count < keys.count ? nil : keys
    }
}

extension Int32 {
    @inline(__always) fileprivate func isPlace(of text: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer)
        -> Bool
    {
        guard let first = text.baseAddress, let start = bytes.baseAddress else { return text.isEmpty }
        return memcmp(first, start + Int(self), text.count) == 0
    }
}
