import ListChanges

/// Which collections something applies to: only those of a list, all but those of a list, or what a block says. Names are the same if their
/// bytes are.
public struct YapWhitelistBlacklist: Sendable {
    private let rule: Rule

    private enum Rule: Sendable {
        case only(Set<ExactString>)
        case allBut(Set<ExactString>)
        case filter(@Sendable (String) -> Bool)
    }

    /// Allows the items of the list and nothing else; nil or empty allows nothing.
    public init(whitelist: Set<String>?) { self.init(only: (whitelist ?? []).exact) }

    /// Allows everything but the items of the list; nil or empty allows everything.
    public init(blacklist: Set<String>?) { rule = .allBut((blacklist ?? []).exact) }

    /// Allows what the block returns true for. It must always say the same of one item.
    ///
    /// The block runs on the thread of the transaction that asks, or of the registration.
    public init(filterBlock: @escaping @Sendable (String) -> Bool) { rule = .filter(filterBlock) }

    init(only items: Set<ExactString>) { rule = .only(items) }

    /// Whether the rule allows the item. Costs O(1), or what the block costs.
    public func isAllowed(_ item: String) -> Bool {
        switch rule {
        case .only(let items): items.contains(ExactString(item))
        case .allBut(let items): !items.contains(ExactString(item))
        case .filter(let block): block(item)
        }
    }

    /// The allowed items where they are a list, nil where they cannot be listed.
    var whitelist: Set<ExactString>? {
        if case .only(let items) = rule { items } else { nil }
    }

    /// The rule as the file keeps it; nil if it cannot be written down, or allows everything.
    func stored(tag: String) -> CollectionRule? {
        switch rule {
        case .only(let items): CollectionRule(only: items, tag: tag)
        case .allBut(let items): CollectionRule(allBut: items, tag: tag)
        case .filter: nil
        }
    }
}
