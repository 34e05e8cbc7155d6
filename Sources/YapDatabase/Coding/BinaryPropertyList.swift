import Foundation

/// A value of a binary property list, as in keyed archives. `PropertyListTable` describes the format.
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
}

extension BinaryPropertyList {
    var string: String? { if case .string(let string) = self { string } else { nil } }
    var uid: Int? { if case .uid(let uid) = self { uid } else { nil } }
    var array: [BinaryPropertyList]? { if case .array(let array) = self { array } else { nil } }
    var dictionary: [String: BinaryPropertyList]? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }
}
