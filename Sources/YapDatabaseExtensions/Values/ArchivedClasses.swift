import Foundation
import Synchronization
import YapDatabase

/// Registers classes with the names that they have in archives.
enum ArchivedClasses {
    private static let added = Mutex<Set<ObjectIdentifier>>([])

    /// Registers a class of the program. Does nothing for one of Foundation, and for one that archives may name anyway.
    static func add<Value>(_ type: Value.Type) {
        guard added.withLock({ $0.insert(ObjectIdentifier(type)).inserted }),
            let type = type as? (NSObject & NSCoding).Type, !(type is any YapDatabaseArchivable.Type)
        else { return }
        let name = String(reflecting: type)
        if !name.hasPrefix("Foundation.") { YapDatabase.registerArchivedClass(type, as: name) }
    }
}
