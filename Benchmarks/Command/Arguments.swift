/// The arguments of `yap-bench`.
struct Arguments {
    enum Action {
        case measure
        case list
        case help
        /// Acts as the other process of `foreign_commit`.
        case writeStamps(file: String)
        /// Acts as the other process of `foreign_plain_commit`.
        case writePlainly(file: String, collection: String)
        /// Acts as the other process of `commit_one_watched`.
        case hold(file: String)
        /// Acts as a process of `company`.
        case company([String])
        /// Acts as the process that opens an inbox.
        case openInbox(file: String)
        /// Acts as the process whose memory is measured.
        case memory(work: String, file: String, rows: Int)
    }

    var action = Action.measure
    var isJSON = false
    /// The cases to measure; empty for all.
    var names: [String] = []

    init(_ words: [String]) throws {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--write-stamps": action = .writeStamps(file: words.popFirst() ?? "")
            case "--write-plain":
                action = .writePlainly(file: words.popFirst() ?? "", collection: words.popFirst() ?? "")
            case "--memory-of":
                action = .memory(
                    work: words.popFirst() ?? "", file: words.popFirst() ?? "",
                    rows: words.popFirst().flatMap { Int($0) } ?? 0)
            case "--company":
                action = .company((0..<5).compactMap { _ in words.popFirst() })
            case "--open-inbox": action = .openInbox(file: words.popFirst() ?? "")
            case "--hold": action = .hold(file: words.popFirst() ?? "")
            case "--json": isJSON = true
            case "--list": action = .list
            case "--help", "-h": action = .help
            case _ where word.hasPrefix("-"):
                throw UsageError("There is no option \"\(word)\". `yap-bench --help` shows those that there are.")
            default: names.append(word)
            }
        }
    }
}

/// Invalid arguments, with a sentence for the user.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
