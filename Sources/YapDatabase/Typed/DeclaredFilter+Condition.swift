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
        } catch let error as YapDatabaseError where error.code == .badQuery {
            return nil
        }
        var found: Set<Int64> = []
        let cursor = try prepared.0.cursor(prepared.1)
        while try cursor.next() { found.insert(cursor.rowid) }
        return found
    }
}

// MARK: Narrower conditions

extension YapCondition.Clause {
    /// Whether everything that fulfils this clause fulfils the other one, as far as their forms tell: a filter that grows with each key that is
    /// typed, by another condition or by a nearer bound.
    func implies(_ other: Self) -> Bool {
        switch (self, other) {
        case (_, .both(let a, let b)): implies(a) && implies(b)
        case (.either(let a, let b), _): a.implies(other) && b.implies(other)
        case (.both(let a, let b), .either(let c, let d)):
            implies(c) || implies(d) || a.implies(other) || b.implies(other)
        case (.both(let a, let b), _): a.implies(other) || b.implies(other)
        case (_, .either(let a, let b)): implies(a) || implies(b)
        case (.compare(let field, let sign, let value), .compare(let otherField, let otherSign, let bound)):
            field == otherField && Self.implies(sign, value, otherSign, bound)
        case (.among(let field, let values), .among(let otherField, let others)):
            field == otherField && values.allSatisfy { value in others.contains { Self.isSame(value, $0) } }
        case (.compare(let field, "=", let value), .among(let otherField, let others)):
            field == otherField && others.contains { Self.isSame(value, $0) }
        case (.compare(let field, _, _), .isMissing(let otherField, false)): field == otherField
        case (.isMissing(let field, let isMissing), .isMissing(let otherField, let otherIsMissing)):
            field == otherField && isMissing == otherIsMissing
        case (.not(let a), .not(let b)): b.implies(a)
        default: false
        }
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
