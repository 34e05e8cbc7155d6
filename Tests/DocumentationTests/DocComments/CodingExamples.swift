import Foundation
import YapDatabase

/// The examples in the comments of the members of how rows are encoded.
private struct CodingExamples {
    let database: YapDatabase

    func registerCodableSerialization() {
        struct Book: Codable { var title: String }
        database.registerCodableSerialization(Book.self, forCollection: "books", as: .json)
    }

    func registerDefaultSerializer() {
        database.registerDefaultSerializer(YapDatabase.propertyListSerializer())
        database.registerDefaultDeserializer(YapDatabase.propertyListDeserializer())
    }

    func setObjectPolicy() {
        database.setObjectPolicy(.share, forCollection: "settings")
    }

    func registerSerializer() {
        database.registerSerializer(YapDatabase.rawSerializer(), forCollection: "images")
        database.registerDeserializer(YapDatabase.rawDeserializer(), forCollection: "images")
    }

    func registerPreSanitizer() {
        database.registerPreSanitizer(
            { collection, key, value in
                (value as? NSString)?.copy() ?? value
            }, forCollection: "notes")
    }

    func timestampSerializer() {
        database.registerMetadataSerializer(YapDatabase.timestampSerializer(), forCollection: "messages")
        database.registerMetadataDeserializer(YapDatabase.timestampDeserializer(), forCollection: "messages")
    }

    func codableSerializer() {
        database.registerObjectSerializer(YapDatabase.codableSerializer(Int.self), forCollection: "counters")
        database.registerObjectDeserializer(YapDatabase.codableDeserializer(Int.self), forCollection: "counters")
    }

    func registerArchivedClass() {
        final class Note: NSObject, NSCoding {
            override init() {}
            required init?(coder: NSCoder) {}
            func encode(with coder: NSCoder) {}
        }
        YapDatabase.registerArchivedClass(Note.self, as: "Note")
    }

    func offerNotes() {
        // When the program begins. "Note" is the name of the class in the original's files.
        YapDatabase.registerArchivedClass(Note.self, as: "Note")
    }
}

private final class Note: NSObject, NSCoding {
    override init() {}
    required init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

// For files of this library alone: archives name the class by module and name.
extension Note: YapDatabaseArchivable {}
