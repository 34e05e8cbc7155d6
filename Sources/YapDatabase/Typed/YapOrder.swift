import ByteCoders
import Foundation
import ListChanges

/// One step of an ordering of values: by a property, ascending or descending, or by a closure.
///
/// ```swift
/// let order = YapList(
///     "order", of: books, groupedBy: \.genre,
///     sortedBy: .descending(\.price), .ascending(\.title, .localized(Locale(identifier: "sv"))), .ascending(\.year))
/// ```
///
/// The nil of an optional property comes first in ascending order and last in descending order, unless the step says otherwise. NaN comes after all
/// numbers, in both orders. Lists and indexes have the same order.
public struct YapOrder<Value: Sendable>: Sendable {
    /// How texts are compared.
    public enum Text: Sendable {
        /// By their Unicode scalars, as by their bytes: `Z` before `a`.
        case exact
        /// Without regard to case, in no language in particular.
        case caseInsensitive
        /// As people of the locale expect: case and accents matter least, numbers count as numbers.
        case localized(Locale)
    }

    /// Where nil comes.
    public enum Missing: Sendable {
        /// Before all values.
        case first
        /// After all values.
        case last
    }

    let compare: @Sendable (Value, Value) -> ComparisonResult
    /// Compares two values where they are; nil if that takes more than one stored field of each.
    let stored: (@Sendable (UnsafeRawPointer, UnsafeRawPointer) -> ComparisonResult)?
    /// A number for a value where it is, ordered as the values are; nil for a property without one.
    let prefix: (@Sendable (UnsafeRawPointer) -> UInt64)?
    /// Reads the number from the stored bytes of a type that is ``YapPlainCodable``; throws if the whole value has to be decoded.
    let storedPrefix: (@Sendable (StoredFields) throws -> UInt64)?
    /// Whether values with equal numbers are equal in this step.
    let isPrefixExact: Bool
    /// What decides between values with equal numbers, where that is a text, and the key by which it is stored.
    var wholeText: (field: FieldText, key: StoredKey)?
    /// What is compared, for version tags; nil for a closure and a computed property.
    let description: String?
    /// The property, for an index; nil where SQLite cannot order by it.
    let field: FieldPath?
    let isDescending: Bool
    var missing: Missing?
    /// Whether the step orders all values, which nothing says of a closure.
    var isTotal = true
}

extension YapOrder {
    /// Compares two values at their addresses in memory. Not a generic function: a list of these is gone through without the runtime's help.
    var comparison: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> ComparisonResult {
        stored ?? { [compare] a, b in
            compare(a.assumingMemoryBound(to: Value.self).pointee, b.assumingMemoryBound(to: Value.self).pointee)
        }
    }

    /// Values with a lesser property first.
    public static func ascending<Field: Comparable & Sendable>(_ path: KeyPath<Value, Field> & Sendable) -> Self {
        let field = FieldReader(path)
        return Self(
            path, false, stored: field.comparison(isDescending: false), number: field.number(isDescending: false),
            isPrefixExact: field.isPrefixExact
        ) { ordered(field($0), field($1), isDescending: false) }
    }

    /// Values with a greater property first.
    public static func descending<Field: Comparable & Sendable>(_ path: KeyPath<Value, Field> & Sendable) -> Self {
        let field = FieldReader(path)
        return Self(
            path, true, stored: field.comparison(isDescending: true), number: field.number(isDescending: true),
            isPrefixExact: field.isPrefixExact
        ) { ordered(field($0), field($1), isDescending: true) }
    }

    /// Values with a lesser property first.
    /// - Parameter missing: where values without the property come.
    public static func ascending<Field: Comparable & Sendable>(
        _ path: KeyPath<Value, Field?> & Sendable, nil missing: Missing = .first
    ) -> Self {
        byOptional(path, isDescending: false, missing)
    }

    /// Values with a greater property first.
    /// - Parameter missing: where values without the property come.
    public static func descending<Field: Comparable & Sendable>(
        _ path: KeyPath<Value, Field?> & Sendable, nil missing: Missing = .last
    ) -> Self {
        byOptional(path, isDescending: true, missing)
    }

    private static func byOptional<Field: Comparable & Sendable>(
        _ path: KeyPath<Value, Field?> & Sendable, isDescending: Bool, _ missing: Missing
    ) -> Self {
        let field = FieldReader(path)
        let isMissingFirst = missing == .first
        let number = field.offset.flatMap {
            FieldNumber.of(Field.self, at: $0, isDescending: isDescending, isMissingFirst: isMissingFirst)
        }
        return Self(
            path, isDescending, missing, number: number,
            isPrefixExact: number != nil && FieldNumber.isExactWithMissing(for: Field.self)
        ) {
            ordered(field($0), field($1), isMissingFirst: isMissingFirst) {
                ordered($0, $1, isDescending: isDescending)
            }
        }
    }

    /// Values by a text, in alphabetical order.
    /// - Parameters:
    ///   - path: a property with a text.
    ///   - text: how texts are compared.
    public static func ascending(_ path: KeyPath<Value, String> & Sendable, _ text: Text) -> Self {
        let field = FieldReader(path)
        let compare = text.comparison
        return Self(path, false, text: text) { compare(field($0), field($1)) }
    }

    /// Values by a text, against the alphabetical order.
    /// - Parameters:
    ///   - path: a property with a text.
    ///   - text: how texts are compared.
    public static func descending(_ path: KeyPath<Value, String> & Sendable, _ text: Text) -> Self {
        let field = FieldReader(path)
        let compare = text.comparison
        return Self(path, true, text: text) { compare(field($1), field($0)) }
    }

    /// Values by a text that may be missing, in alphabetical order.
    /// - Parameters:
    ///   - path: a property with a text that may be missing.
    ///   - text: how texts are compared.
    ///   - missing: where values without the text come.
    public static func ascending(
        _ path: KeyPath<Value, String?> & Sendable, _ text: Text, nil missing: Missing = .first
    ) -> Self {
        let field = FieldReader(path)
        let compare = text.comparison
        return Self(path, false, missing, text: text) {
            ordered(field($0), field($1), isMissingFirst: missing == .first, compare)
        }
    }

    /// Values as the closure compares them. A list that is declared with it needs a version tag.
    ///
    /// The closure must define a total order: of a number that may be NaN it has to say where that comes. One that contradicts itself loses no
    /// row, but the order means nothing; where the library notices, it tells the log handler (``YapDatabase/setLogHandler(_:)``).
    ///
    /// It is called on any thread.
    ///
    /// ```swift
    /// let byLength = YapOrder<Book>.by { a, b in
    ///     a.title.count == b.title.count ? .orderedSame : a.title.count < b.title.count ? .orderedAscending : .orderedDescending
    /// }
    /// ```
    public static func by(_ compare: @escaping @Sendable (Value, Value) -> ComparisonResult) -> Self {
        Self(
            compare: compare, stored: nil, prefix: nil, storedPrefix: nil, isPrefixExact: false, description: nil,
            field: nil, isDescending: false, isTotal: false)
    }

    private init(
        _ path: AnyKeyPath, _ isDescending: Bool, _ missing: Missing? = nil, text: Text? = nil,
        stored: (@Sendable (UnsafeRawPointer, UnsafeRawPointer) -> ComparisonResult)? = nil,
        number: FieldNumber? = nil, isPrefixExact: Bool = false,
        _ compare: @escaping @Sendable (Value, Value) -> ComparisonResult
    ) {
        let field = FieldPath(path)
        let parts = [field.name, text?.description, missing.map { "nil \($0)" }, isDescending ? "descending" : nil]
        self.compare = compare
        self.stored = stored
        prefix = number?.ofValue
        if let number, let key = storedKey(of: field, in: Value.self) {
            storedPrefix = { try number.ofBytes($0, key) }
            wholeText = number.text.map { ($0, key) }
        } else {
            storedPrefix = nil
        }
        self.isPrefixExact = isPrefixExact
        description = field.name == nil ? nil : parts.known(separatedBy: " ")
        // SQLite's order of texts is the exact one.
        self.field = text.map(\.isExact) ?? true ? field : nil
        self.isDescending = isDescending
        self.missing = missing
    }
}

extension YapOrder.Text {
    fileprivate var isExact: Bool { if case .exact = self { true } else { false } }

    /// The text of a version tag: another locale orders differently.
    fileprivate var description: String {
        switch self {
        case .exact: "exact"
        case .caseInsensitive: "case-insensitive"
        case .localized(let locale): "localized \(locale.identifier)"
        }
    }

    fileprivate var comparison: @Sendable (String, String) -> ComparisonResult {
        switch self {
        case .exact: { ordered($0, $1, isDescending: false) }
        case .caseInsensitive: { $0.caseInsensitiveCompare($1) }
        case .localized(let locale):
            {
                $0.compare(
                    $1, options: [.caseInsensitive, .diacriticInsensitive, .numeric], range: nil, locale: locale
                )
                .otherwise($0.compare($1, options: [.numeric], range: nil, locale: locale))
            }
        }
    }
}

extension ComparisonResult {
    /// This result, or that of the next step if it decides nothing.
    func otherwise(_ next: @autoclosure () -> ComparisonResult) -> ComparisonResult {
        self == .orderedSame ? next() : self
    }
}

extension Array {
    /// How the steps of an ordering compare two values: the first that tells them apart decides.
    func compare<Value>(_ a: Value, _ b: Value) -> ComparisonResult where Element == YapOrder<Value> {
        for order in self {
            let result = order.compare(a, b)
            if result != .orderedSame { return result }
        }
        return .orderedSame
    }
}
