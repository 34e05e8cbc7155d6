import Foundation
import ListChanges

/// The collections whose rows an extension may hold, as the file keeps them for programs that have not registered it: a commit that
/// touches none of them leaves the extension right.
///
/// A text of `yap2` under the key `collections`, JSON: `{"only":["books"],"tag":"1"}` or `{"allBut":["drafts"],"tag":"1"}`. It holds for
/// the content that has this version tag, so that a program that fills the extension in another way and does not know the key ends it.
/// Without it, the extension may hold rows of all collections. The original ignores the key, and deletes it with the extension.
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

    var text: String? { plainText ?? encodedText }

    /// The text if no name needs an escape, which most do not: the encoder takes a quarter of a millisecond when a process has just begun.
    private var plainText: String? {
        func list(_ names: [String]) -> String? {
            let texts = names.compactMap(quoted)
            return texts.count == names.count ? "[" + texts.joined(separator: ",") + "]" : nil
        }
        func quoted(_ text: String) -> String? {
            let isPlain = text.utf8.allSatisfy {
                $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
            return isPlain ? "\"" + text + "\"" : nil
        }
        let (name, names) = only.map { ("only", $0) } ?? ("allBut", allBut ?? [])
        guard let list = list(names), let tag = quoted(tag) else { return nil }
        return "{\"\(name)\":\(list),\"tag\":\(tag)}"
    }

    var encodedText: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).flatMap { String(bytes: $0, encoding: .utf8) }
    }

    func allows(_ collection: String) -> Bool {
        func isNamed(_ names: [String]) -> Bool { names.contains { $0.hasSameBytes(as: collection) } }
        return only.map(isNamed) ?? !(allBut.map(isNamed) ?? false)
    }
}
