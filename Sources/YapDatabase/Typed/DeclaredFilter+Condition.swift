import ByteCoders
import Foundation
import ListChanges

extension YapCondition where Value: Codable {
    /// The condition as the filter of a view.
    /// - Parameter indexed: the rows that fulfil it, where an index tells; nil where none does.
    func filtering(
        _ collection: String,
        indexed: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Set<Int64>? = { _ in nil }
    ) -> YapDatabaseViewFiltering {
        var filtering = YapDatabaseViewFiltering.withObjectBlock { [holds] _, _, collection, key, object in
            holds(try cast(object, "object", RowKey(collection: collection, key: key)))
        }
        let promise = StoredPromise<Value>()
        filtering.declared = DeclaredFilter(
            byBytes: { [self] codings in
                guard let format = codings.format(of: Value.self, in: collection) else { return nil }
                return { bytes, key in
                    try stored.flatMap { promise.answer($0, bytes, format, whole: holds) }
                        ?? holds(format.decode(Value.self, bytes, ofRow: { key }))
                }
            },
            check: { content in
                // A cast copies the value.
                if !content.isOf(Value.self) { _ = try content.place(of: Value.self) }
            },
            implies: { [clause] other in
                guard let clause, let other = (other.condition as? YapCondition)?.clause else { return false }
                return clause.implies(other)
            }, indexed: indexed, condition: self)
        return filtering
    }
}

extension YapQuery {
    /// The rowids of the rows that are found; nil if no registered index answers the query.
    func rowidsIfIndexed() throws -> Set<Int64>? {
        let prepared: (YapDatabaseSecondaryIndexTransaction, YapDatabaseQuery)
        do {
            prepared = try self.prepared()
        } catch let error as YapDatabaseError where [.badQuery, .badExtension].contains(error.code) {
            return nil
        }
        var found: Set<Int64> = []
        let cursor = try prepared.0.cursor(prepared.1)
        while try cursor.next() { found.insert(cursor.rowid) }
        return found
    }
}

// MARK: Narrower conditions

extension ConditionClause {
    /// Comparisons after which two clauses count as different ones: their number is the product of their terms, and grows with each level.
    private static let maxComparisons = 1_000_000

    /// Whether everything that fulfils this clause fulfils the other one, as far as their forms tell: a filter that grows with each key that is
    /// typed, by another condition or by a nearer bound.
    func implies(_ other: Self) -> Bool {
        var left = Self.maxComparisons
        return implies(other, &left)
    }

    private func implies(_ other: Self, _ left: inout Int) -> Bool {
        left -= 1
        guard left > 0 else { return false }
        func every(_ clauses: [Self], _ test: (Self, inout Int) -> Bool) -> Bool {
            clauses.allSatisfy { test($0, &left) }
        }
        func some(_ clauses: [Self], _ test: (Self, inout Int) -> Bool) -> Bool { clauses.contains { test($0, &left) } }
        switch (self.simple, other.simple) {
        case (_, .chain(let others)) where others.junction == .and:
            return every(others.clauses) { implies($0, &$1) }
        case (.chain(let mine), let other) where mine.junction == .or:
            return every(mine.clauses) { $0.implies(other, &$1) }
        case (.chain(let mine), .chain(let others)):
            return some(others.clauses) { implies($0, &$1) } || some(mine.clauses) { $0.implies(other, &$1) }
        case (.chain(let mine), let other): return some(mine.clauses) { $0.implies(other, &$1) }
        case (_, .chain(let others)): return some(others.clauses) { implies($0, &$1) }
        case (.compare(let field, let sign, let value), .compare(let otherField, let otherSign, let bound)):
            return field == otherField && Self.implies(sign, value, otherSign, bound)
        case (.among(let field, let values), .among(let otherField, let others)):
            left -= values.count * others.count
            guard field == otherField, left > 0 else { return false }
            return values.allSatisfy { value in others.contains { Self.isSame(value, $0) } }
        case (.compare(let field, "=", let value), .among(let otherField, let others)):
            return field == otherField && others.contains { Self.isSame(value, $0) }
        case (.compare(let field, _, _), .isMissing(let otherField, false)): return field == otherField
        case (.isMissing(let field, let isMissing), .isMissing(let otherField, let otherIsMissing)):
            return field == otherField && isMissing == otherIsMissing
        case (.not(let a, _), .not(let b, _)): return b.implies(a, &left)
        default: return false
        }
    }

    /// The clause, negated at most once.
    private var simple: Self {
        guard case .not(let clause, let times) = self else { return self }
        return times % 2 == 0 ? clause : .not(clause, times: 1)
    }

    private static func implies(
        _ sign: String, _ value: any Sendable, _ otherSign: String, _ bound: any Sendable
    ) -> Bool {
        guard let result = order(value, bound) else { return false }
        switch (sign, otherSign) {
        case ("=", "="): return result == .orderedSame
        case ("=", "<"), ("<=", "<"): return result == .orderedAscending
        case ("=", "<="), ("<", "<"), ("<", "<="), ("<=", "<="): return result != .orderedDescending
        case ("=", ">"), (">=", ">"): return result == .orderedDescending
        case ("=", ">="), (">", ">"), (">", ">="), (">=", ">="): return result != .orderedAscending
        default: return false
        }
    }

    private static func isSame(_ a: any Sendable, _ b: any Sendable) -> Bool { order(a, b) == .orderedSame }

    /// Returns how two values of one property compare; nil if that is not known.
    private static func order(_ a: any Sendable, _ b: any Sendable) -> ComparisonResult? {
        func compare<Compared: Comparable>(_ a: Compared, _ b: Compared) -> ComparisonResult? {
            a < b ? .orderedAscending : a > b ? .orderedDescending : a == b ? .orderedSame : nil
        }
        switch (a, b) {
        case (let a as Int, let b as Int): return compare(a, b)
        case (let a as Int64, let b as Int64): return compare(a, b)
        case (let a as Double, let b as Double): return compare(a, b)
        case (let a as Date, let b as Date):
            return compare(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
        // Texts compare by their bytes.
        case (let a as String, let b as String):
            return a.hasSameBytes(as: b) ? .orderedSame : a.precedes(b) ? .orderedAscending : .orderedDescending
        default: return nil
        }
    }
}
