import Foundation

/// What is declared once and registered in each database that has it: a ``YapList``, a ``YapIndex`` or a ``YapTextIndex``.
///
/// ```swift
/// try database.register(order, prices)
/// ```
public protocol YapDeclaration: Sendable {
    /// The name under which it is registered, unique in the file.
    var name: String { get }
    /// The extension that keeps what is declared up to date.
    func makeExtension() -> YapDatabaseExtension
    /// Makes `Codable` the encoding of the rows that it reads.
    func use(in database: YapDatabase)
}

extension YapDatabase {
    /// Registers what is declared, in one pass over the rows and one commit: fills it the first time, and afterwards only loads it,
    /// unless its declaration has changed.
    ///
    /// Rows of the collection that do not hold the declared type are left out: ``YapListRows/problems``.
    ///
    /// - Parameters:
    ///   - replacing: as for ``YapDatabase/YapDatabase/register(_:withName:replacing:config:progress:)``.
    ///   - progress: updated by a few units for each row; cancelling it rolls everything back.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if a name is taken, and others if the file cannot be read or written.
    public func register(
        _ first: any YapDeclaration, _ second: any YapDeclaration, _ others: any YapDeclaration...,
        replacing: Bool = false, progress: Progress? = nil
    ) throws {
        let declarations = [first, second] + others
        for declaration in declarations { declaration.use(in: self) }
        try register(declarations.map { ($0.name, $0.makeExtension()) }, replacing: replacing, progress: progress)
    }

    /// Registers what is declared, and returns it as the handle for transactions and lists.
    ///
    /// ```swift
    /// let titles = try database.register(YapList("titles", of: books, sortedBy: .ascending(\.title)))
    /// ```
    @discardableResult
    public func register<Declaration: YapDeclaration>(
        _ declaration: Declaration, replacing: Bool = false, progress: Progress? = nil
    ) throws -> Declaration {
        declaration.use(in: self)
        try register(declaration.makeExtension(), withName: declaration.name, replacing: replacing, progress: progress)
        return declaration
    }
}

/// The tag that a declaration gives itself, or the one that it was given.
/// - Parameter rule: names how the library compares fields, if it does.
func declaredTag(_ given: String?, _ parts: [String?], rule: String?, of what: String) -> String {
    if let given { return [given, rule].compactMap(\.self).joined(separator: " | ") }
    let known = parts.compactMap(\.self)
    require(
        known.count == parts.count,
        "\(what) uses a closure or a computed property, whose changes nothing can notice. Give it a versionTag, and another one "
            + "whenever the answers change.")
    return (known + [rule].compactMap(\.self)).joined(separator: " | ")
}
