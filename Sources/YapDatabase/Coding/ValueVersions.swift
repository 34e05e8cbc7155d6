import Foundation
import ListChanges

/// The versions that a collection's values have had: which one this program writes, and how it reads the others.
final class ValueVersions: Sendable {
    /// The version of the values that this program writes.
    let current: Int
    /// What the bytes of a value of this version say: 0 for version 1, and -1 if values of the type cannot say theirs.
    let mark: Int
    /// From one version to the next, without gaps, up to the current one.
    private let steps: [YapMigration]
    /// Tells two declarations apart that read alike.
    let signature: String

    /// Checks the declaration, and stops the program if it makes no sense.
    init<Value: Codable & Sendable>(
        of type: Value.Type, current: Int, _ steps: [YapMigration], _ format: YapDatabaseCodableFormat,
        in collection: String
    ) {
        let steps = steps.sorted { $0.version < $1.version }
        func check(_ holds: Bool, _ problem: @autoclosure () -> String) {
            require(holds, "The versions of the collection \"\(collection)\" are wrong: \(problem())")
        }
        check(current >= 1, "\(current) is below 1.")
        if let first = steps.first {
            check(first.version >= 1, "a migration begins with version \(first.version), which is below 1.")
            check(
                steps.map(\.version) == Array(first.version..<max(first.version, current)),
                "from \(first.version) to \(current) each version needs one migration, and there are those from "
                    + "\(steps.map { "\($0.version)" }.joined(separator: ", ")).")
        }
        for (step, next) in zip(steps, steps.dropFirst().map(Optional.init) + [nil]) {
            guard case .values(let values) = step.work else {
                check(
                    format.hasFields, "this format has no fields that a migration could change by name. Use a closure.")
                continue
            }
            switch next?.work {
            case .fields:
                check(
                    values.new is any Encodable.Type,
                    "\(values.new) must be Codable, because a migration of its fields follows.")
            case .values(let next):
                check(next.old == values.new, "one migration gives \(values.new), and the next takes \(next.old).")
            case nil:
                check(values.new == Value.self, "the last migration gives \(values.new) instead of \(Value.self).")
            }
        }
        (self.current, self.steps) = (current, steps)
        // A dictionary would get the mark as an entry. Only asked where it matters: the answer is looked up at run time.
        func canSay() -> Bool { format.hasFields && !(Value.self is any EntriesAsFields.Type) }
        mark = current == 1 ? 0 : canSay() ? current : -1
        // Without one, for joining would look for its protocols.
        let kinds = steps.isEmpty ? "" : steps.map { $0.isOfFields ? "fields" : "value" }.joined(separator: ", ")
        signature = "\(current): " + kinds
    }

    /// Decodes a value that is not marked as one of the current version.
    func decode<Value: Decodable>(
        _ type: Value.Type, _ bytes: UnsafeRawBufferPointer, _ format: YapDatabaseCodableFormat
    ) throws -> Value {
        let version = format.version(of: bytes)
        if version > current { throw NewerVersion(version: version, current: current) }
        if version == current { return try format.decode(type, bytes, after: []) }
        return try version > 0 ? upgraded(type, bytes, from: version, format) : attempted(type, bytes, format)
    }

    /// A value that says no version is of the oldest one, unless it can only be read as another: a program that knows of no versions wrote it.
    private func attempted<Value: Decodable>(
        _ type: Value.Type, _ bytes: UnsafeRawBufferPointer, _ format: YapDatabaseCodableFormat
    ) throws -> Value {
        let oldest = steps.first?.version ?? current
        let newestFirst = Array((oldest...current).reversed())
        var failure: (any Error)?
        for version in mark > 0 && oldest < current ? [oldest] + newestFirst.dropLast() : newestFirst {
            do { return try upgraded(type, bytes, from: version, format) } catch { failure = failure ?? error }
        }
        throw failure ?? NewerVersion(version: 0, current: current)
    }

    private func upgraded<Value: Decodable>(
        _ type: Value.Type, _ bytes: UnsafeRawBufferPointer, from version: Int, _ format: YapDatabaseCodableFormat
    ) throws -> Value {
        guard version < current, let first = steps.first?.version else {
            return try format.decode(type, bytes, after: [])
        }
        guard version >= first else { throw ForgottenVersion(version: version, first: first) }
        var changes: [YapFieldChange] = []
        var value: (any Sendable)?
        for step in steps[(version - first)...] {
            switch step.work {
            case .values(let values):
                value = try values.upgrade(value ?? values.decode(format, bytes, changes))
                changes = []
            case .fields(let more):
                if let made = value as? any Encodable {
                    return try format.encode(unmarked: made).withUnsafeBytes {
                        try upgraded(type, $0, from: step.version, format)
                    }
                }
                changes += more
            }
        }
        guard let value else { return try format.decode(type, bytes, after: changes) }
        guard let value = value as? Value else { throw NotOfType(expected: type, found: Swift.type(of: value)) }
        return value
    }
}

extension YapMigration {
    fileprivate var isOfFields: Bool { if case .fields = work { true } else { false } }
}

/// A type whose entries are stored as fields.
private protocol EntriesAsFields {}
extension Dictionary: EntriesAsFields {}

/// A row was written by a newer version of the program.
struct NewerVersion: Error, CustomStringConvertible {
    let version: Int
    let current: Int

    var description: String {
        """
        It is a value of version \(version), and this program knows versions up to \(current) of the collection. Use the newer version of the \
        program; the row is kept as it is.
        """
    }
}

/// A row is older than the migrations reach back.
struct ForgottenVersion: Error, CustomStringConvertible {
    let version: Int
    let first: Int

    var description: String {
        "It is a value of version \(version), and the migrations of the collection begin with version \(first). Add the migrations before it."
    }
}
