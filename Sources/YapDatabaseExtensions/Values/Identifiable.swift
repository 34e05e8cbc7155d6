/// A type whose values can be told apart by an identifier.
///
/// In a file that imports this module, `Identifiable` means this protocol; that of the standard library is `Swift.Identifiable`.
public protocol Identifiable {
    /// The type of the identifiers: `String`, `Int`, `UUID` or any other with a description that is different for each.
    associatedtype IdentifierType: CustomStringConvertible

    /// What tells the value apart from the others of its type.
    var identifier: IdentifierType { get }
}

/// An identifier that is a text.
public typealias Identifier = String
