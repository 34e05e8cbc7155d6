import Foundation

/// What is declared once and registered in each database that has it: a ``YapList``, ``YapIndex``, ``YapTextIndex``,
/// ``YapRTreeIndex``, ``YapRelation``, ``YapJoin`` or ``YapTimed``.
///
/// ```swift
/// try database.register(order, prices)
/// ```
public protocol YapDeclaration: Sendable {
    /// The name under which it is registered, unique in the file.
    var name: String { get }
    /// The extension that keeps what is declared up to date.
    func makeExtension() -> YapDatabaseExtension
    /// What is registered: the extension, after those that belong to it alone.
    func makeExtensions() -> [(name: String, extension: YapDatabaseExtension)]
    /// Makes `Codable` the encoding of the rows that it reads.
    func use(in database: YapDatabase)
}

extension YapDeclaration {
    public func makeExtensions() -> [(name: String, extension: YapDatabaseExtension)] { [(name, makeExtension())] }
}

extension YapDatabase {
    /// Registers what is declared, in one pass over the rows and one commit: fills it the first time, and afterwards only loads it,
    /// unless its declaration has changed. What this program has registered already as it is declared stays as it is, also with a filter or a
    /// search that was set since: two screens may each register the list that they show.
    ///
    /// Rows of the collection that do not hold the declared type are left out: ``YapListRows/problems``.
    ///
    /// - Parameters:
    ///   - replacing: as for `register(_:withName:replacing:config:progress:)`.
    ///   - progress: updated by a few units for each row; cancelling it rolls everything back.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if a name is taken, and others if the file cannot be read or written.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    public func register(
        _ first: any YapDeclaration, _ second: any YapDeclaration, _ others: any YapDeclaration...,
        replacing: Bool = false, progress: Progress? = nil
    ) throws {
        try register([first, second] + others, replacing: replacing, progress: progress)
    }

    /// Registers what an array declares, like the form for several declarations. An empty one registers nothing.
    ///
    /// ```swift
    /// let lists: [any YapDeclaration] = [order, prices]
    /// try database.register(lists)
    /// ```
    ///
    /// - Parameters:
    ///   - declarations: lists, indexes, relations, joins and timed rows; what another one needs comes first.
    ///   - replacing: as for `register(_:withName:replacing:config:progress:)`.
    ///   - progress: updated by a few units for each row; cancelling it rolls everything back.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if a name is taken, and others if the file cannot be read or written.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    public func register(
        _ declarations: [any YapDeclaration], replacing: Bool = false, progress: Progress? = nil
    ) throws {
        for declaration in declarations { declaration.use(in: self) }
        var rest = notDeclared(declarations.flatMap(declaredExtensions))
        while !rest.isEmpty {
            do { return try register(rest, replacing: replacing, progress: progress) } catch {
                rest = try notDeclared(rest, after: error)
            }
        }
        progress?.finish()
    }

    /// Drops what is declared from the file, with what belongs to it alone. Rows stay. Does nothing if the file has nothing of that name.
    ///
    /// ```swift
    /// try database.unregister(order)
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if something else that is registered depends on it, others if the file cannot be
    ///   written.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    public func unregister(_ declaration: any YapDeclaration) throws {
        try unregisterExtension(withName: declaration.name)
    }

    /// Registers what is declared, and returns it as the handle for transactions and lists.
    ///
    /// ```swift
    /// let titles = try database.register(YapList("titles", of: books, sortedBy: .ascending(\.title)))
    /// ```
    ///
    /// - Parameters:
    ///   - declaration: what a ``YapDeclaration`` says: a list, an index, a relation, a join or timed rows.
    ///   - replacing: as for `register(_:withName:replacing:config:progress:)`.
    ///   - progress: updated on the calling thread; cancelling it, from any thread, rolls the registration back.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if the name is taken, `decodingFailed` only if
    ///   ``YapDatabaseOptions/undecodableRows`` is `.fail`; others if the file cannot be read or written. `CocoaError.userCancelled` if
    ///   the progress was cancelled.
    @discardableResult
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    public func register<Declaration: YapDeclaration>(
        _ declaration: Declaration, replacing: Bool = false, progress: Progress? = nil
    ) throws -> Declaration {
        try register([declaration as any YapDeclaration], replacing: replacing, progress: progress)
        return declaration
    }
}

extension YapDatabase {
    /// Registers what is declared, like the sync form, without blocking a thread of the caller.
    ///
    /// ```swift
    /// try await database.register(order, prices)
    /// ```
    ///
    /// - Parameters:
    ///   - replacing: as for `register(_:withName:replacing:config:progress:)`.
    ///   - progress: updated by a few units for each row, on a queue of the database; cancelling it, or the task, rolls everything back.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if a name is taken, and others if the file cannot be read or written.
    ///   `CancellationError` if the task was cancelled.
    public func register(
        _ first: any YapDeclaration, _ second: any YapDeclaration, _ others: any YapDeclaration...,
        replacing: Bool = false, progress: Progress? = nil
    ) async throws {
        try await register([first, second] + others, replacing: replacing, progress: progress)
    }

    /// Registers what an array declares, like the sync form, without blocking a thread of the caller.
    ///
    /// - Parameters:
    ///   - declarations: lists, indexes, relations, joins and timed rows; what another one needs comes first.
    ///   - replacing: as for `register(_:withName:replacing:config:progress:)`.
    ///   - progress: updated by a few units for each row, on a queue of the database; cancelling it, or the task, rolls everything back.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if a name is taken, and others if the file cannot be read or written.
    ///   `CancellationError` if the task was cancelled.
    public func register(
        _ declarations: [any YapDeclaration], replacing: Bool = false, progress: Progress? = nil
    ) async throws {
        for declaration in declarations { declaration.use(in: self) }
        var rest = notDeclared(declarations.flatMap(declaredExtensions))
        while !rest.isEmpty {
            do { return try await register(rest, replacing: replacing, progress: progress) } catch {
                rest = try notDeclared(rest, after: error)
            }
        }
        progress?.finish()
    }

    /// Drops what is declared from the file, like the sync form, without blocking a thread of the caller. Cannot be cancelled.
    ///
    /// ```swift
    /// try await database.unregister(order)
    /// ```
    ///
    /// - Throws: as the sync form, ``YapDatabaseError`` with code `badExtension` if something else depends on it.
    public func unregister(_ declaration: any YapDeclaration) async throws {
        try await unregisterExtension(withName: declaration.name)
    }

    /// Registers what is declared and returns it, like the sync form, without blocking a thread of the caller.
    ///
    /// ```swift
    /// let titles = try await database.register(YapList("titles", of: books, sortedBy: .ascending(\.title)))
    /// ```
    ///
    /// - Parameters:
    ///   - declaration: what a ``YapDeclaration`` says: a list, an index, a relation, a join or timed rows.
    ///   - replacing: as for `register(_:withName:replacing:config:progress:)`.
    ///   - progress: updated by a few units for each row, on a queue of the database; cancelling it, or the task, rolls the registration back.
    /// - Throws: ``YapDatabaseError`` as the sync form does, with code `badExtension` if the name is taken. `CancellationError` if the task
    ///   was cancelled, `CocoaError.userCancelled` if only the progress was.
    @discardableResult
    public func register<Declaration: YapDeclaration>(
        _ declaration: Declaration, replacing: Bool = false, progress: Progress? = nil
    ) async throws -> Declaration {
        try await register([declaration as any YapDeclaration], replacing: replacing, progress: progress)
        return declaration
    }
}

/// The extensions of a declaration, which say how they are declared.
private func declaredExtensions(_ declaration: any YapDeclaration) -> [(name: String, extension: YapDatabaseExtension)]
{
    let batch = declaration.makeExtensions()
    for (_, made) in batch { made.declared = DeclaredForm(type(of: declaration), made.hooks) }
    return batch
}

extension YapDatabase {
    /// The rest of a batch that could not be registered, because meanwhile another caller registered some of it.
    /// - Throws: the error, if that is not why.
    fileprivate func notDeclared(
        _ batch: [(name: String, extension: YapDatabaseExtension)], after error: any Error
    ) throws -> [(name: String, extension: YapDatabaseExtension)] {
        let rest = notDeclared(batch)
        guard rest.count < batch.count else { throw error }
        return rest
    }
}

/// The tag that a declaration gives itself, or the one that it was given.
/// - Parameter rule: names how the library compares fields, if it does.
func declaredTag(_ given: String?, _ parts: [String?], rule: String?, of what: String) -> String {
    if let given { return [given, rule].known(separatedBy: " | ") }
    require(
        parts.allSatisfy { $0 != nil },
        "\(what) uses a closure or a computed property, whose changes nothing can notice. Give it a versionTag, and another one "
            + "whenever the answers change.")
    return (parts + [rule]).known(separatedBy: " | ")
}

extension [String?] {
    /// The texts that are known, as `joined(separator:)` puts them together. That function looks up protocols at run time, which takes a
    /// twentieth of a millisecond the first time.
    func known(separatedBy separator: String) -> String {
        var all = ""
        var isFirst = true
        for case let text? in self {
            all += isFirst ? text : separator + text
            isFirst = false
        }
        return all
    }
}

/// The tag of rows that hold copies of others: copies of values of another version could not be read, and are made again.
/// - Parameter shape: that of the collections with the others.
func declaredTag(_ tag: String, copying shape: String?) -> String { shape.map { "\(tag) | of \($0)" } ?? tag }

/// A type whose values can be keys of a ``YapCollection``.
///
/// `String`, the integers, `UUID`, and enumerations and structures with a raw value of these types are keys already; the latter
/// only declare it: `extension BookID: YapKey {}`.
public protocol YapKey: Hashable, Sendable {
    /// The key as it is stored. Different keys have different texts.
    var storedKey: String { get }
    /// The key with this text; nil if there is none. Not an initializer, so that `map(Int.init)` stays unambiguous.
    static func key(stored text: String) -> Self?
}

extension String: YapKey {
    public var storedKey: String { self }
    public static func key(stored text: String) -> String? { text }
}

extension UUID: YapKey {
    public var storedKey: String { uuidString }
    public static func key(stored text: String) -> UUID? { UUID(uuidString: text) }
}

/// The key in decimal digits.
extension YapKey where Self: LosslessStringConvertible & BinaryInteger {
    public var storedKey: String { description }
    public static func key(stored text: String) -> Self? { Self(text) }
}

extension Int: YapKey {}
extension Int32: YapKey {}
extension Int64: YapKey {}
extension UInt: YapKey {}
extension UInt32: YapKey {}
extension UInt64: YapKey {}

extension YapKey where Self: RawRepresentable, RawValue: YapKey {
    public var storedKey: String { rawValue.storedKey }
    public static func key(stored text: String) -> Self? { RawValue.key(stored: text).flatMap(Self.init(rawValue:)) }
}
