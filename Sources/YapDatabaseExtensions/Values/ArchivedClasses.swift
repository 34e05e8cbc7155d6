import Foundation
import YapDatabase

/// Registers classes with the names that they have in archives.
enum ArchivedClasses {
    // Not `Synchronization`'s mutex, which the thread sanitizer does not understand.
    private static let lock = NSLock()
    // nonisolated(unsafe): it is behind the lock.
    nonisolated(unsafe) private static var added: Set<ObjectIdentifier> = []

    /// Registers a class of the program. Does nothing for one of Foundation, for one that archives may name anyway, and for a private
    /// one, whose name is not the same for ever: the program gives it one (`YapDatabase.registerArchivedClass`).
    static func add<Value>(_ type: Value.Type) {
        guard lock.withLock({ added.insert(ObjectIdentifier(type)).inserted }),
            let type = type as? (NSObject & NSCoding).Type
        else { return }
        let name = String(reflecting: type)
        let isNested = name.split(separator: ".").count > 2
        let isKnown = type is any YapDatabaseArchivable.Type && !isNested
        if !isKnown, !name.hasPrefix("Foundation."), !name.contains("(") {
            YapDatabase.registerArchivedClass(type, as: name)
        }
    }
}
