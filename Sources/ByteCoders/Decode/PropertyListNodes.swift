import ByteFormats
import Foundation

/// Reads the objects of a binary property list.
final class PropertyListNodes: ValueReader {
    private let table = UnsafeMutablePointer<PropertyListTable?>.allocate(capacity: 1)
    /// The keys of dictionaries with many, by their objects. Unchecked: no member runs inside an access of another one, and a
    /// check is made for each value.
    @exclusivity(unchecked) private var manyKeys: [Int: [String: Int]] = [:]
    /// A dictionary with more keys finds one by a table.
    private static let scannedKeys = 24

    override init() { table.initialize(to: nil) }

    deinit { table.deallocate() }

    /// Reads the trailer of bytes that outlive all reading.
    /// - Returns: the root; nil if they are no binary property list.
    func load(_ bytes: UnsafeRawBufferPointer) -> Int? {
        state.pointee = State()
        // References may share objects, so few bytes could expand to a huge tree.
        state.pointee.valuesLeft = 16 * bytes.count
        if !manyKeys.isEmpty { manyKeys = [:] }
        table.pointee = try? PropertyListTable(bytes)
        guard let table = table.pointee, table.isFilled else { return nil }
        return table.root
    }

    @inline(__always) private func object(at index: Int) -> PropertyListObject? { try? table.pointee?.object(index) }

    // MARK: Scalars

    /// Foundation writes a text for null, and reads the format's own null too.
    override func isNull(_ index: Int) -> Bool {
        switch object(at: index) {
        case .null: true
        case .string(let piece): table.pointee!.string(piece, is: "$null")
        default: false
        }
    }

    override func bool(_ index: Int) -> Bool? {
        if case .bool(let bool) = object(at: index) { bool } else { nil }
    }

    override func int64(_ index: Int) -> Int64? {
        if case .integer(let integer) = object(at: index) { integer } else { nil }
    }

    override func uint64(_ index: Int) -> UInt64? {
        switch object(at: index) {
        case .integer(let integer): UInt64(exactly: integer)
        case .wideInteger(0, let low): low
        default: nil
        }
    }

    override func double(_ index: Int) -> Double? {
        switch object(at: index) {
        case .real(let real): real
        case .integer(let integer): Double(exactly: integer)
        default: nil
        }
    }

    override func float(_ index: Int) -> Float? {
        if case .real(let real) = object(at: index), !real.isNaN { Float(exactly: real) } else { nil }
    }

    override func date(_ index: Int) -> Date? {
        if case .date(let seconds) = object(at: index) { Date(timeIntervalSinceReferenceDate: seconds) } else { nil }
    }

    override func data(_ index: Int) -> Data? {
        if case .data(let piece) = object(at: index) { Data(table.pointee!.bytes(piece)) } else { nil }
    }

    override func string(_ index: Int) -> String? {
        if let bytes = table.pointee!.plainText(index), bytes.count != 5 {
            return bytes.isASCII ? String(decoding: bytes, as: UTF8.self) : nil
        }
        guard case .string(let piece) = object(at: index) else { return nil }
        let text = text(piece)
        return text == "$null" ? nil : text
    }

    /// Returns nil for bytes that are not as their type says.
    private func text(_ piece: PropertyListObject.Piece) -> String? {
        let bytes = table.pointee!.bytes(piece)
        if !piece.isUTF16 { return bytes.isASCII ? String(decoding: bytes, as: UTF8.self) : nil }
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: bytes.count / 2) { units in
            for place in 0..<units.count {
                units.initializeElement(
                    at: place, to: UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * place, as: UInt16.self)))
            }
            return String(validating: units, as: UTF16.self)
        }
    }

    // MARK: Containers

    override func object(_ index: Int) -> Children? {
        guard case .dictionary(let children) = object(at: index) else { return nil }
        return Children(start: children.start, count: children.count, node: index)
    }

    override func array(_ index: Int) -> Children? {
        guard case .array(let children) = object(at: index) else { return nil }
        return Children(start: children.start, count: children.count, node: index)
    }

    override func element(of array: Children, _ place: inout Place) -> Int {
        table.pointee!.child(array, place.index)
    }

    /// A dictionary that has a key twice, which no encoder writes, gives either value.
    override func find(_ key: String, in object: Children, _ hint: UnsafeMutablePointer<Int>) -> Int? {
        if object.count > Self.scannedKeys { return manyKeys(of: object)?[key] }
        let list = table.pointee!
        let first = hint.pointee < object.count ? hint.pointee : 0
        var (text, isPlain) = (key, true)
        let found = text.withUTF8 { text -> Int? in
            let wanted = UnsafeRawBufferPointer(text)
            for step in 0..<object.count {
                let place = first + step < object.count ? first + step : first + step - object.count
                let index = list.child(object, place)
                guard let text = list.plainText(index) ?? longText(index) else {
                    isPlain = false
                    continue
                }
                if text.count == wanted.count, text.elementsAreEqual(to: wanted) { return place }
            }
            return nil
        }
        if let found {
            hint.pointee = found
            return list.child(object, object.count + found)
        }
        return isPlain ? nil : manyKeys(of: object)?[key]
    }

    /// The bytes of a text that is not UTF-16.
    private func longText(_ index: Int) -> UnsafeRawBufferPointer? {
        guard case .string(let piece) = object(at: index), !piece.isUTF16 else { return nil }
        return table.pointee!.bytes(piece)
    }

    private func manyKeys(of object: Children) -> [String: Int]? {
        if let known = manyKeys[object.node] { return known }
        guard let keys = keys(of: object) else {
            state.pointee.isUncertain = true
            return nil
        }
        var values: [String: Int] = [:]
        values.reserveCapacity(keys.count)
        for (place, key) in keys.enumerated() {
            values[key] = table.pointee!.child(object, object.count + place)
        }
        manyKeys[object.node] = values
        return values
    }

    /// All keys, in order; nil if one is not valid or repeated.
    override func keys(of object: Children) -> [String]? {
        state.pointee.valuesLeft &-= object.count
        guard state.pointee.valuesLeft >= 0 else { return nil }
        var keys: [String] = []
        keys.reserveCapacity(object.count)
        for place in 0..<object.count {
            guard case .string(let piece) = self.object(at: table.pointee!.child(object, place)),
                let text = text(piece)
            else { return nil }
            keys.append(text)
        }
        return Set(keys).count == keys.count ? keys : nil
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always) fileprivate func elementsAreEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard let first = baseAddress, let second = other.baseAddress else { return count == other.count }
        return memcmp(first, second, count) == 0
    }
}
