import ByteFormats
import Foundation

extension BinaryPropertyList {
    /// The bytes are not a property list, or not a whole one.
    typealias Malformed = MalformedPropertyList

    /// Reads a whole list. Whatever the bytes are, the outcome is a value or an error.
    static func read(_ data: Data) throws -> BinaryPropertyList {
        try data.withUnsafeBytes { bytes in
            let table = try PropertyListTable(bytes)
            var reader = Reader(table, valuesLeft: 16 * bytes.count)
            return try reader.object(table.root, depth: 0)
        }
    }
}

private struct Reader {
    /// Lists inside lists; archives are flat, so more than a few levels are damage.
    private static let depthLimit = 100

    private let table: PropertyListTable
    /// References may share objects, so few bytes could spell a huge tree; no honest one has more values than this.
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
        // Of 16 bytes only the lower half is ever used.
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
