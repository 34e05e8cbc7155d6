import FileEngine

/// The value of an expression that is printed.
struct ColumnValue {
    let value: SQLValue
    /// The number that a field is, as it is stored; nil for all else. SQLite may not have it.
    let number: String?

    init(_ value: SQLValue, number: String? = nil) { (self.value, self.number) = (value, number) }
}
