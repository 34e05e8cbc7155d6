import Foundation
import ListChanges

/// The collections whose rows an extension may hold, as the file keeps them for programs that have not registered it: a commit that
/// touches none of them leaves the extension right.
///
/// A text of `yap2` under the key `collections`, JSON: `{"only":["books"],"tag":"1"}` or `{"allBut":["drafts"],"tag":"1"}`. The rule holds
/// only while the extension has this version tag: a program that does not know the key may fill the extension with another tag and other
/// rows. Without a rule, the extension may hold rows of all collections. The original ignores the key, and deletes it with the extension.
package struct CollectionRule: Hashable, Sendable, Codable {
    private let tag: String
    private(set) var only: [String]?
    private var allBut: [String]?

    /// A longer list is not stored: it is read in each transaction of programs without the extension.
    private static let maxNames = 1_000

    /// Nil for a list that is too long.
    package init?(only collections: Set<ExactString>, tag: String) {
        guard collections.count <= Self.maxNames else { return nil }
        (self.tag, only) = (tag, collections.sorted().map(\.text))
    }

    /// Nil for a list that is too long, and for an empty one, which says nothing.
    package init?(allBut collections: Set<ExactString>, tag: String) {
        guard !collections.isEmpty, collections.count <= Self.maxNames else { return nil }
        (self.tag, allBut) = (tag, collections.sorted().map(\.text))
    }

    init?(_ text: String, tag: String) {
        guard let rule = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)), rule.tag == tag,
            (rule.only == nil) != (rule.allBut == nil)
        else { return nil }
        self = rule
    }

    /// The text that Foundation's encoder makes with sorted keys and plain slashes. In a process that has just begun, that one takes a third of a
    /// millisecond.
    var text: String {
        let (name, names) = only.map { ("only", $0) } ?? ("allBut", allBut ?? [])
        return "{\"\(name)\":[" + names.map(Self.quoted).joined(separator: ",") + "],\"tag\":" + Self.quoted(tag) + "}"
    }

    private static func quoted(_ text: String) -> String {
        var bytes = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0a: bytes += "\\n".utf8
            case 0x0c: bytes += "\\f".utf8
            case 0x0d: bytes += "\\r".utf8
            case ..<0x20: bytes += ((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
    }

    func allows(_ collection: String) -> Bool {
        func isNamed(_ names: [String]) -> Bool { names.contains { $0.hasSameBytes(as: collection) } }
        return only.map(isNamed) ?? !(allBut.map(isNamed) ?? false)
    }
}
