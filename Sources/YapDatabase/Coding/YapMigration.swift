/// One step in the history of a ``YapCollection``: how values that an older version of the program wrote become those of the next version.
///
/// ```swift
/// struct PersonV1: Codable, Sendable {
///     var id: Int
///     var name: String
/// }
/// struct Person: Codable, Sendable, Identifiable {
///     var id: Int
///     var first: String
///     var last: String
///     var phone: String
/// }
/// let people = YapCollection(
///     "people", of: Person.self, version: 2,
///     migrating: .from(1, PersonV1.self) { old in
///         let parts = old.name.split(separator: " ")
///         return Person(
///             id: old.id, first: parts.first.map(String.init) ?? "", last: parts.dropFirst().joined(separator: " "), phone: "")
///     })
/// ```
public struct YapMigration: Sendable {
    enum Work: Sendable {
        case fields([YapFieldChange])
        case values(ValueStep)
    }

    /// The version that the step begins with.
    let version: Int
    let work: Work

    /// A step that makes a new value of an old one.
    ///
    /// - Parameters:
    ///   - version: the version of the old values. Rows without a version are of version 1.
    ///   - type: what they were then.
    ///   - upgrade: returns the value of the next version. Called whenever such a row is read, on any thread, so it depends on the old value
    ///     alone. An error that it throws says that the row cannot be decoded.
    public static func from<Old: Codable & Sendable, New: Sendable>(
        _ version: Int, _ type: Old.Type, _ upgrade: @escaping @Sendable (Old) throws -> New
    ) -> YapMigration {
        let step = ValueStep(
            old: Old.self, new: New.self,
            decode: { format, bytes, changes in try format.decode(Old.self, bytes, after: changes) },
            upgrade: { old in
                guard let old = old as? Old else { throw NotOfType(expected: Old.self, found: Swift.type(of: old)) }
                return try upgrade(old)
            })
        return YapMigration(version: version, work: .values(step))
    }

    /// A step that changes fields by their names, so that no type of the old values is needed. For property lists and JSON.
    ///
    /// ```swift
    /// let people = YapCollection(
    ///     "people", of: Person.self, version: 2,
    ///     migrating: .from(1, .renaming("mobile", to: "phone"), .adding("nickname", "")))
    /// ```
    ///
    /// - Parameters:
    ///   - version: the version of the old values. Rows without a version are of version 1.
    ///   - changes: what the next version has otherwise, in this order. Names are those of the coding keys.
    public static func from(_ version: Int, _ changes: YapFieldChange...) -> YapMigration {
        YapMigration(version: version, work: .fields(changes))
    }
}

/// A step from value to value, whose types only the running program knows.
struct ValueStep: Sendable {
    let old: any Any.Type
    let new: any Any.Type
    let decode: @Sendable (YapDatabaseCodableFormat, UnsafeRawBufferPointer, [YapFieldChange]) throws -> any Sendable
    let upgrade: @Sendable (any Sendable) throws -> any Sendable
}

/// A change of one field of the values of a ``YapCollection``, from one version to the next.
public struct YapFieldChange: Sendable {
    enum Kind: Sendable {
        case adding(any Encodable & Sendable)
        case renaming(to: String)
        case removing
    }

    let name: String
    let kind: Kind

    /// A field that older values lack.
    /// - Parameters:
    ///   - name: the field's coding key.
    ///   - value: what older values have there.
    public static func adding(_ name: String, _ value: some Encodable & Sendable) -> YapFieldChange {
        YapFieldChange(name: name, kind: .adding(value))
    }

    /// A field with another name.
    /// - Parameters:
    ///   - name: its coding key in older values.
    ///   - newName: its coding key from now on.
    public static func renaming(_ name: String, to newName: String) -> YapFieldChange {
        YapFieldChange(name: name, kind: .renaming(to: newName))
    }

    /// Removes a field, so that another field can have its name. A field whose name no other field gets need not be removed.
    /// - Parameter name: its coding key in older values.
    public static func removing(_ name: String) -> YapFieldChange {
        YapFieldChange(name: name, kind: .removing)
    }
}
