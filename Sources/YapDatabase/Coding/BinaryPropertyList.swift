import Foundation

/// A value of a binary property list, as keyed archives use them.
///
/// The format: the text `bplist00`; objects, each a marker byte (type in the upper half, size in the lower) and its
/// bytes, big-endian; a table of their offsets; and 32 bytes at the end which say how wide offsets and references are,
/// how many objects there are, which one is the root, and where the table is.
enum BinaryPropertyList: Hashable, Sendable {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case data(Data)
    case string(String)
    /// A reference inside a keyed archive.
    case uid(Int)
    case array([BinaryPropertyList])
    case dictionary([String: BinaryPropertyList])

    static let magic = Array("bplist00".utf8)
    static let trailerSize = 32

    /// The bytes are not a property list, or not a whole one.
    struct Malformed: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = "The property list is malformed: \(description)." }
    }
}

extension BinaryPropertyList {
    var string: String? { if case .string(let string) = self { string } else { nil } }
    var uid: Int? { if case .uid(let uid) = self { uid } else { nil } }
    var array: [BinaryPropertyList]? { if case .array(let array) = self { array } else { nil } }
    var dictionary: [String: BinaryPropertyList]? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }
}
