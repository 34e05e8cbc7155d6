import Foundation
import ListChanges

/// A type whose values are places on an axis: numbers, dates, and optionals of these.
public protocol YapCoordinate: Sendable {
    /// The place as a number; nil for none. Of a date, the seconds since 2001. An integer beyond 2^53 has the place of the nearest number that a
    /// `Double` can be.
    var coordinate: Double? { get }
}

extension YapCoordinate where Self: BinaryInteger {
    public var coordinate: Double? { Double(self) }
}

extension Int: YapCoordinate {}
extension Int32: YapCoordinate {}
extension Int64: YapCoordinate {}

extension YapCoordinate where Self: BinaryFloatingPoint {
    public var coordinate: Double? { Double(self) }
}

extension Double: YapCoordinate {}
extension Float: YapCoordinate {}

extension Date: YapCoordinate {
    public var coordinate: Double? { timeIntervalSinceReferenceDate }
}

extension Optional: YapCoordinate where Wrapped: YapCoordinate {
    public var coordinate: Double? { flatMap(\.coordinate) }
}

/// One dimension of a ``YapRTreeIndex``: where a value lies on an axis, or from where to where it reaches.
public struct YapDimension<Value: Sendable>: Sendable {
    let name: String
    let extent: @Sendable (Value) -> YapExtent?

    /// A dimension in which each value has one place.
    /// - Parameter path: a stored property. A value without it, or with what is not a number, is not in the index.
    public static func at<Coordinate: YapCoordinate>(_ path: KeyPath<Value, Coordinate> & Sendable) -> Self {
        let field = FieldReader(path)
        return Self(name: FieldPath(path).columnName(for: "An R-tree")) { value in
            field(value).coordinate.flatMap { YapExtent($0, $0) }
        }
    }

    /// A dimension in which each value reaches from one place to another.
    /// - Parameters:
    ///   - lower: a stored property. A value without it, or that ends before it begins, is not in the index.
    ///   - upper: a stored property, of the other end.
    public static func from<Coordinate: YapCoordinate>(
        _ lower: KeyPath<Value, Coordinate> & Sendable, to upper: KeyPath<Value, Coordinate> & Sendable
    ) -> Self {
        let (first, last) = (FieldReader(lower), FieldReader(upper))
        let names = [lower, upper].map { FieldPath($0).columnName(for: "An R-tree") }
        return Self(name: names.joined(separator: "...")) { value in
            guard let first = first(value).coordinate, let last = last(value).coordinate else { return nil }
            return YapExtent(first, last)
        }
    }
}

/// A part of one dimension that a question asks for. Both ends belong to it.
public struct YapExtent: Hashable, Sendable {
    let lower: Double
    let upper: Double

    /// Nil if it ends before it begins, or if an end is not a number.
    fileprivate init?(_ lower: Double, _ upper: Double) {
        guard lower <= upper else { return nil }
        (self.lower, self.upper) = (lower, upper)
    }

    /// All of the dimension.
    public static let all = YapExtent(-.infinity, .infinity)!

    /// From one place to another.
    /// - Precondition: the ends are places: neither nil nor what is not a number.
    public static func range<Coordinate: YapCoordinate & Comparable>(_ range: ClosedRange<Coordinate>) -> YapExtent {
        guard let lower = range.lowerBound.coordinate, let upper = range.upperBound.coordinate,
            let extent = YapExtent(lower, upper)
        else { fatalError("\(range) is no part of a dimension: one of its ends is not a number.") }
        return extent
    }

    /// Whether both have a place in common.
    func overlaps(_ other: YapExtent) -> Bool { lower <= other.upper && other.lower <= upper }

    /// Whether all of it lies in the other.
    func isWithin(_ other: YapExtent) -> Bool { other.lower <= lower && upper <= other.upper }

    /// The extent as the index can store it. Its numbers are shorter, and infinity is replaced, because rounding would make it NaN.
    var storable: (lower: Double, upper: Double) { (Self.clamped(lower), Self.clamped(upper)) }

    /// What finds everything that overlaps in the index, where a number may be rounded either way.
    var searched: (lower: Double, upper: Double) {
        (Double(Float(storable.lower).nextDown), Double(Float(storable.upper).nextUp))
    }

    private static func clamped(_ place: Double) -> Double {
        let most = Double(Float.greatestFiniteMagnitude)
        return min(max(place, -most), most)
    }
}

/// Places or boxes of a collection's values in up to five dimensions, which are found quickly: what is on this part of a map, which meetings
/// overlap this hour.
///
/// ```swift
/// let map = YapRTreeIndex("map", of: shops, on: .at(\.longitude), .at(\.latitude))
/// try database.register(map)
/// let near = try connection.read { transaction in
///     try transaction[map].values(overlapping: .range(13.3...13.5), .range(52.4...52.6))
/// }
/// ```
///
/// It is a ``YapDatabaseRTreeIndex``. SQLite stores its numbers with 24 significant bits; what it finds is compared with the values themselves,
/// so answers are exact for what a `Double` tells apart (``YapCoordinate``).
public struct YapRTreeIndex<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: YapDeclaration {
    public let name: String
    /// The collection whose values are found.
    public let collection: YapCollection<Value, Key, Metadata>
    /// Changes whenever the dimensions change.
    public let versionTag: String
    let dimensions: [YapDimension<Value>]

    /// - Parameters:
    ///   - name: the name of the index, unique in the file.
    ///   - collection: the collection whose values are found.
    ///   - dimensions: one to five. A value that has no place in one of them is not in the index.
    public init(
        _ name: String, of collection: YapCollection<Value, Key, Metadata>, on dimensions: YapDimension<Value>...
    ) {
        require(
            1...5 ~= dimensions.count, "An R-tree has one to five dimensions; \"\(name)\" has \(dimensions.count).")
        (self.name, self.collection, self.dimensions) = (name, collection, dimensions)
        versionTag = ([collection.name] + dimensions.map(\.name)).joined(separator: " | ")
    }

    public func use(in database: YapDatabase) { collection.use(in: database) }

    public func makeExtension() -> YapDatabaseExtension {
        let setup = YapDatabaseRTreeIndexSetup()
        setup.setColumns(dimensions.indices.flatMap { [Self.lower($0), Self.upper($0)] })
        let options = YapDatabaseRTreeIndexOptions()
        options.allowedCollections = YapWhitelistBlacklist(whitelist: [collection.name])
        return YapDatabaseRTreeIndex(
            setup: setup,
            handler: .withObjectBlock { [dimensions] columns, collection, key, object in
                let value: Value = try cast(object, "object", RowKey(collection: collection, key: key))
                let extents = dimensions.compactMap { $0.extent(value)?.storable }
                guard extents.count == dimensions.count else { return }
                for (number, extent) in extents.enumerated() {
                    columns[Self.lower(number)] = extent.lower
                    columns[Self.upper(number)] = extent.upper
                }
            }, versionTag: versionTag, options: options)
    }

    fileprivate static func lower(_ dimension: Int) -> String { "min\(dimension)" }
    fileprivate static func upper(_ dimension: Int) -> String { "max\(dimension)" }
}

/// One transaction's access to a ``YapRTreeIndex``: `transaction[map]`. Valid as long as the transaction.
public struct YapRTreeMatches<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable> {
    /// The declaration of the index.
    public let declaration: YapRTreeIndex<Value, Key, Metadata>
    /// The same access without types.
    public let index: YapDatabaseRTreeIndexTransaction

    /// Returns the values that have a place in common with a box, in no particular order. One that cannot be decoded, which another program
    /// put into the index, is left out and reported.
    ///
    /// O(log n + rows found), and what reading these costs.
    ///
    /// ```swift
    /// let near = try transaction[map].values(overlapping: .range(13.3...13.5), .range(52.4...52.6))
    /// let north = try transaction[map].values(within: .all, .range(52.5...90))
    /// ```
    ///
    /// - Parameter box: one part for each dimension.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    /// - Precondition: as many parts as the index has dimensions.
    public func values(overlapping box: YapExtent...) throws -> [Value] {
        try values(box) { $0.overlaps($1) }
    }

    /// Returns the values that lie completely inside a box, in no particular order.
    ///
    /// O(log n + rows that overlap the box), and what reading these costs.
    ///
    /// Example: ``values(overlapping:)``.
    ///
    /// - Parameter box: one part for each dimension.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    /// - Precondition: as many parts as the index has dimensions.
    public func values(within box: YapExtent...) throws -> [Value] {
        try values(box) { $0.isWithin($1) }
    }

    /// The index finds what overlaps the box, and some that nearly does, as its numbers are rounded to the outside.
    private func values(_ box: [YapExtent], where isWanted: (YapExtent, YapExtent) -> Bool) throws -> [Value] {
        let dimensions = declaration.dimensions
        require(
            box.count == dimensions.count,
            "\"\(declaration.name)\" has \(dimensions.count) dimensions, and was asked for \(box.count). Give `.all` for one that does not matter."
        )
        let query = YapDatabaseQuery(
            string: "WHERE " + dimensions.indices.map { "min\($0) <= ? AND max\($0) >= ?" }.joined(separator: " AND "),
            parameters: box.map(\.searched).flatMap { [$0.upper, $0.lower] })
        var found: [Value] = []
        try index.forEachRow(index.cursor(query), .object, passesOver: true) { _, row, _ in
            let value: Value = try cast(row.object!, "object", row.key)
            let isFound = zip(dimensions, box).allSatisfy { dimension, part in
                dimension.extent(value).map { isWanted($0, part) } ?? false
            }
            if isFound { found.append(value) }
        }
        return found
    }
}

extension YapTypedTransaction {
    /// The rows that lie in a box, with their types.
    ///
    /// - Throws: ``YapDatabaseError`` with `badExtension` if the index is not registered in this state of the database.
    public subscript<Value, Key, Metadata>(
        index: YapRTreeIndex<Value, Key, Metadata>
    ) -> YapRTreeMatches<Value, Key, Metadata> {
        get throws {
            index.collection.use(in: self)
            return YapRTreeMatches(
                declaration: index, index: try registered(index, as: YapDatabaseRTreeIndexTransaction.self))
        }
    }
}
