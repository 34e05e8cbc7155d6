extension MappingsSetup {
    /// The mappings as text, one line for the groups and one for each call.
    package var words: [String] {
        [groups.words] + config.map(\.words) + (configAfterUpdate ? ["all this after the first update"] : [])
    }
}

extension MappingsSetup.Groups {
    fileprivate var words: String {
        switch self {
        case .list(let names): "groups \(names.joined(separator: ", "))"
        case .dynamic(let names, let order):
            "groups as the view has them"
                + (names.map { ", out of \($0.joined(separator: ", "))" } ?? "")
                + (order == .ascending ? ", in order" : ", in reverse order")
        }
    }
}

extension MappingsCall {
    /// The call on one line: `A: fixed range of 4, offset 1 from the beginning`.
    package var words: String {
        switch self {
        case .dynamicSection(let value, let group): "\(group): \(value ? "dynamic" : "static") section"
        case .dynamicSectionAll(let value): "all groups: \(value ? "dynamic" : "static") sections"
        case .reverse(let value, let group): "\(group): \(value ? "reversed" : "not reversed")"
        case .range(let range, let group): "\(group): \(range.words)"
        case .removeRange(let group): "\(group): no range"
        case .dependencies(let offsets, let group):
            "\(group): cells depend on neighbours at \(offsets.map(String.init).joined(separator: ", "))"
        case .consolidate(let threshold, let name): "below \(threshold) rows in all: one section \"\(name)\""
        }
    }
}

extension RangeSetup {
    fileprivate var words: String {
        let limits = [
            max.map { "at most \($0)" }, min.map { "at least \($0)" }, grow.map { "grows: \($0.rawValue)" },
        ]
        let place = "\(kind.rawValue) range of \(length), offset \(offset) from the \(from.rawValue)"
        return ([place] + limits.compactMap(\.self)).joined(separator: ", ")
    }
}
