import ByteFormats
import Foundation

extension BinaryPropertyList {
    /// The bytes are not a complete property list.
    typealias Malformed = MalformedPropertyList

    /// Reads a complete list. Throws for any bytes that are not one; never traps.
    static func read(_ data: Data) throws -> BinaryPropertyList {
        try data.withUnsafeBytes { bytes in
            let table = try PropertyListTable(bytes)
            var reader = Reader(table, valuesLeft: 16 * bytes.count)
            return try reader.object(table.root, depth: 0)
        }
    }
}

private struct Reader {
    /// The most levels of nesting. Archives are flat, so a list with more levels is damaged.
    private static let depthLimit = 100

    private let table: PropertyListTable
    /// The number of values that may still be read. References may share objects, so few bytes could expand to a huge
    /// tree; no sound list exceeds the limit.
    private var valuesLeft: Int

    init(_ table: PropertyListTable, valuesLeft: Int) {
        self.table = table
        self.valuesLeft = valuesLeft
    }

    mutating func object(_ index: Int, depth: Int) throws -> BinaryPropertyList {
        guard depth < Self.depthLimit else { throw BinaryPropertyList.Malformed("it is nested too deep") }
        guard valuesLeft > 0 else { throw BinaryPropertyList.Malformed("it has too many values") }
        valuesLeft -= 1
        switch try table.object(index) {
        case .bool(let bool): return .bool(bool)
        case .integer(let integer): return .integer(integer)
        // Writers use only the lower half of a 16-byte integer.
        case .wideInteger(_, let low): return .integer(Int64(bitPattern: low))
        case .real(let real): return .real(real)
        case .date(let seconds): return .date(seconds)
        case .data(let piece): return .data(Data(table.bytes(piece)))
        case .string(let piece): return .string(table.string(piece))
        case .uid(let uid): return .uid(uid)
        case .array(let children): return .array(try array(children, depth: depth))
        case .dictionary(let children): return .dictionary(try dictionary(children, depth: depth))
        case .null, .set: throw BinaryPropertyList.Malformed("an object has a type that is not stored")
        }
    }

    private mutating func array(
        _ children: PropertyListObject.Children, depth: Int
    ) throws -> [BinaryPropertyList] {
        try (0..<children.count).map { try object(table.reference(children, $0), depth: depth + 1) }
    }

    private mutating func dictionary(
        _ children: PropertyListObject.Children, depth: Int
    ) throws -> [String: BinaryPropertyList] {
        var dictionary: [String: BinaryPropertyList] = [:]
        for place in 0..<children.count {
            guard let name = try object(table.reference(children, place), depth: depth + 1).string else {
                throw BinaryPropertyList.Malformed("a key is no string")
            }
            dictionary[name] = try object(table.reference(children, children.count + place), depth: depth + 1)
        }
        return dictionary
    }
}
