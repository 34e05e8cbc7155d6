import ByteCoders
import Foundation

/// A condition in the form that SQL and version tags are made of.
indirect enum ConditionClause: Sendable {
    case compare(FieldPath, String, any Sendable)
    case among(FieldPath, [any Sendable])
    case isMissing(FieldPath, Bool)
    case chain(Chain)
    /// Negated once or several times.
    case not(ConditionClause, times: Int)
    /// Nested deeper than ``maxDepth``.
    case tooDeep

    enum Junction: String, Sendable {
        case and = "AND"
        case or = "OR"
    }

    /// Clauses that one operator joins.
    struct Chain: Sendable {
        let junction: Junction
        let clauses: [ConditionClause]
        /// The comparisons in all of them.
        let termCount: Int
        let depth: Int
    }

    /// What walks over a clause calls itself for each level, on any thread. Chains of one operator are one level, however long.
    static let maxDepth = 200

    /// The clause of two conditions. A chain grows at its end.
    static func joined(_ a: Self, _ b: Self, _ junction: Junction) -> Self {
        let depth: Int
        var clauses: [ConditionClause]
        if case .chain(let chain) = a, chain.junction == junction {
            (clauses, depth) = (chain.clauses, max(chain.depth, b.depth + 1))
        } else {
            (clauses, depth) = ([a], max(a.depth, b.depth) + 1)
        }
        guard depth <= maxDepth else { return .tooDeep }
        clauses.append(b)
        return .chain(
            Chain(junction: junction, clauses: clauses, termCount: a.termCount + b.termCount, depth: depth))
    }

    /// The contrary.
    var inverted: Self {
        if case .not(let clause, let times) = self { return .not(clause, times: times + 1) }
        return depth < Self.maxDepth ? .not(self, times: 1) : .tooDeep
    }

    /// The levels of what is nested; more than ``maxDepth`` if they are too many.
    private var depth: Int {
        switch self {
        case .compare, .among, .isMissing: 0
        case .chain(let chain): chain.depth
        case .not(let clause, _): clause.depth + 1
        case .tooDeep: Self.maxDepth + 1
        }
    }

    /// The comparisons.
    var termCount: Int {
        switch self {
        case .compare, .among, .isMissing, .tooDeep: 1
        case .chain(let chain): chain.termCount
        case .not(let clause, _): clause.termCount
        }
    }

    /// The properties that it goes by.
    var fields: [FieldPath] {
        switch self {
        case .compare(let field, _, _), .among(let field, _), .isMissing(let field, _): [field]
        case .chain(let chain): chain.clauses.flatMap(\.fields)
        case .not(let clause, _): clause.fields
        case .tooDeep: []
        }
    }
}

// MARK: In SQL

extension ConditionClause {
    /// SQLite's time to compile a statement grows faster than its terms.
    static let maxTerms = 5_000
    /// SQLite's parser keeps at most 100 things that it has begun, of which others than the condition need some.
    private static let maxBegun = 70
    /// SQLite nests a chain, in which at most 1,000 levels may be: `maxTerms` are fewer in parts of this length.
    private static let termsOfPart = 100

    /// Writes it as a condition of SQL; `column` gives the name of a property's column, and `bind` collects the parameters.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if it is too large or too deep for SQLite.
    func sql(_ column: (FieldPath) -> String, _ bind: (any Sendable) -> Void) throws -> String {
        guard termCount <= Self.maxTerms else {
            throw YapDatabaseError(
                .badQuery,
                "The condition has \(termCount) comparisons, and an index answers at most \(Self.maxTerms). Compare a property with many values "
                    + "by `\\.property ~= values`, which is one comparison, or divide the condition among several queries."
            )
        }
        guard depth <= Self.maxDepth, begun <= Self.maxBegun else {
            throw YapDatabaseError(
                .badQuery,
                "The condition is nested too deep for an index: each change between && and ||, and each ! before parentheses, is a level. Join "
                    + "what one operator joins in one chain without parentheses, or divide the condition among several queries."
            )
        }
        return written(column, bind)
    }

    /// What a parser has begun at most when it reads the clause: a parenthesis, and if it is not the first of its chain, also the part of the chain
    /// before it with its operator.
    private var begun: Int {
        switch self {
        case .compare, .among, .isMissing, .tooDeep: 6
        case .chain(let chain):
            chain.ordered.enumerated().reduce(0) { max($0, $1.element.begun + ($1.offset == 0 ? 1 : 3)) }
                + (chain.clauses.count > Self.termsOfPart ? 3 : 0)
        case .not(let clause, let times): clause.begun + (times % 2 == 1 ? 1 : 0)
        }
    }

    private func written(_ column: (FieldPath) -> String, _ bind: (any Sendable) -> Void) -> String {
        switch self {
        case .chain(let chain):
            let separator = " \(chain.junction.rawValue) "
            let texts = chain.ordered.map { $0.written(column, bind) }
            guard texts.count > Self.termsOfPart else { return "(\(texts.joined(separator: separator)))" }
            let parts = stride(from: 0, to: texts.count, by: Self.termsOfPart).map { start in
                "(\(texts[start..<min(start + Self.termsOfPart, texts.count)].joined(separator: separator)))"
            }
            return "(\(parts.joined(separator: separator)))"
        // NOT NULL is NULL in SQL, so NOT would leave out the rows for which the clause is unknown.
        case .not(let clause, let times):
            let text = clause.written(column, bind)
            return times % 2 == 1 ? "(\(text)) IS NOT TRUE" : text
        default: return comparison(column, bind)
        }
    }

    private func comparison(_ column: (FieldPath) -> String, _ bind: (any Sendable) -> Void) -> String {
        switch self {
        case .compare(let field, let sign, let value):
            bind(value)
            return "\(column(field)) \(sign) ?"
        case .among(let field, let values):
            for value in values { bind(value) }
            return "\(column(field)) IN (\(values.map { _ in "?" }.joined(separator: ", ")))"
        case .isMissing(let field, let isMissing): return "\(column(field)) IS \(isMissing ? "" : "NOT ")NULL"
        case .chain, .not, .tooDeep: return ""
        }
    }
}

extension ConditionClause.Chain {
    /// The clauses, the most nested one first: what is nested in the first of a chain costs a parser least.
    fileprivate var ordered: [ConditionClause] {
        guard depth > 1, let deepest = clauses.indices.max(by: { clauses[$0].depth < clauses[$1].depth }), deepest > 0
        else { return clauses }
        var ordered = clauses
        ordered.insert(ordered.remove(at: deepest), at: 0)
        return ordered
    }
}

// MARK: In version tags

extension ConditionClause {
    /// The condition for version tags; nil if a property has no name, or if it is too deep.
    var description: String? {
        guard depth <= Self.maxDepth, fields.allSatisfy({ $0.name != nil }) else { return nil }
        var values: [String?] = []
        let text = tag { values.append(tagText($0)) }
        return ([text] + values).known(separatedBy: "; ")
    }

    /// The text of a tag is part of files: it must stay as it is, also where SQL is written in another way.
    private func tag(_ bind: (any Sendable) -> Void) -> String {
        switch self {
        case .chain(let chain):
            var text = String(repeating: "(", count: chain.clauses.count - 1)
            for (place, clause) in chain.clauses.enumerated() {
                text += place == 0 ? clause.tag(bind) : " \(chain.junction.rawValue) \(clause.tag(bind)))"
            }
            return text
        case .not(let clause, let times):
            return String(repeating: "(", count: times) + clause.tag(bind)
                + String(repeating: ") IS NOT TRUE", count: times)
        default: return comparison({ $0.name ?? "" }, bind)
        }
    }
}

/// A value in a version tag, different for each value: descriptions of dates leave out parts of seconds, those of data all but the count.
private func tagText(_ value: any Sendable) -> String {
    let type = type(of: value)
    let text =
        switch value {
        // As an interpolation gives it, which looks up at run time how a value is printed. An optional one gives another text.
        case let value as String where type == String.self: value
        case let value as Int64 where type == Int64.self: value.description
        case let value as Int where type == Int.self: value.description
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: data.base64EncodedString()
        default: "\(value)"
        }
    return _typeName(type, qualified: false) + " " + text.debugDescription
}
