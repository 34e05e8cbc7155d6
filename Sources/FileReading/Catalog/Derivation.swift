import Foundation

extension Catalog {
    /// An extension that derives rows from others.
    package struct Derivation: Hashable, Sendable {
        /// The collections of the rows that it reads.
        package var sources: [StoredText]
        package var versionTag: String

        /// - Parameter values: what `yap2` has of the extension.
        init(_ values: [String: String]) {
            struct Rule: Decodable { var only: [String]? }
            let rule = try? JSONDecoder().decode(Rule.self, from: Data((values["collections"] ?? "").utf8))
            sources = (rule?.only ?? []).map { StoredText($0) }
            versionTag = values["versionTag"] ?? ""
        }

        /// The view whose groups have rows: a tag that follows from a declaration begins with its name.
        func groupedView(among views: [View]) -> String? {
            views.map(\.name).filter { versionTag.hasPrefix($0 + " | ") }.max { $0.utf8.count < $1.utf8.count }
        }
    }
}
