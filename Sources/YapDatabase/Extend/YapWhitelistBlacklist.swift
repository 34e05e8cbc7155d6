/// Which collections something applies to: only those of a list, all but those of a list, or what a block says.
public struct YapWhitelistBlacklist: Sendable {
    private let rule: Rule

    private enum Rule: Sendable {
        case only(Set<String>)
        case allBut(Set<String>)
        case filter(@Sendable (String) -> Bool)
    }

    /// Allows the items of the list and nothing else; nil or empty allows nothing.
    public init(whitelist: Set<String>?) { rule = .only(whitelist ?? []) }

    /// Allows everything but the items of the list; nil or empty allows everything.
    public init(blacklist: Set<String>?) { rule = .allBut(blacklist ?? []) }

    /// Allows what the block returns true for. It must always say the same of one item.
    public init(filterBlock: @escaping @Sendable (String) -> Bool) { rule = .filter(filterBlock) }

    /// Whether the rule allows the item. Costs O(1), or what the block costs.
    public func isAllowed(_ item: String) -> Bool {
        switch rule {
        case .only(let items): items.contains(item)
        case .allBut(let items): !items.contains(item)
        case .filter(let block): block(item)
        }
    }

    /// The allowed items where they are a list, nil where they cannot be listed.
    var whitelist: Set<String>? {
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
