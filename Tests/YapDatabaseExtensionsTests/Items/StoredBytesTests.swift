import Foundation
import TestSupport
import Testing
import YapDatabase
import YapDatabaseExtensions

/// What a program without these extensions finds in the file.
@Suite struct StoredBytesTests {
    @Test func aPlainTransactionReadsObjectsCodersAndValues() throws {
        try withDatabase { database, connection throws in
            let product = Product.sample(1, content: 1, metadata: 2)
            let employee = Employee.sample(1, content: 1, metadata: 1)
            let note = Note.sample(1, content: 1, metadata: 0)
            try connection.write { transaction in
                try transaction.write(product)
                try transaction.write(employee)
                try transaction.write(note)
            }
            try database.newConnection().read { transaction in
                let coder = try transaction.object(forKey: product.key, inCollection: "Products") as? ProductCoder
                #expect(coder?.value.name == product.name && coder?.value.barcode == product.barcode)
                let category = try transaction.metadata(forKey: product.key, inCollection: "Products") as? CategoryCoder
                #expect(category?.value == product.metadata)
                #expect(
                    try transaction.object(forKey: employee.key, inCollection: "Employees") as? Employee == employee)
                let date = try transaction.metadata(forKey: employee.key, inCollection: "Employees") as? Date
                #expect(date == Date(timeIntervalSinceReferenceDate: 1))
                #expect(try transaction.object(forKey: note.key, inCollection: "Notes") as? Note == note)
            }
        }
    }

    @Test func bytesAreKeyedArchivesOrWhatTheFormatSays() throws {
        try withDatabase { _, connection throws in
            let product = Product.sample(1, content: 1, metadata: 2)
            try connection.write { transaction in
                try transaction.write(product)
                try transaction.write(Note.sample(1, content: 1, metadata: 0))
                try transaction.write(Letter(metadata: Letter.Stamp(cents: 80), identifier: 7, text: "Dear"))
            }
            try connection.read { transaction in
                let bytes = try #require(
                    try transaction.serializedObject(forKey: product.key, inCollection: "Products"))
                let archive = try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any]
                #expect(archive?["$archiver"] as? String == "NSKeyedArchiver")
                let names = (archive?["$objects"] as? [Any])?.compactMap {
                    ($0 as? [String: Any])?["$classname"] as? String
                }
                #expect(names?.sorted() == ["BarcodeCoder", "ProductCoder"].map { "YapDatabaseExtensionsTests.\($0)" })

                let note = try #require(
                    try transaction.serializedObject(
                        forKey: Note.sample(1, content: 1, metadata: 0).key, inCollection: "Notes"))
                let list = try PropertyListSerialization.propertyList(from: note, format: nil) as? [String: String]
                #expect(list?["text"] == "note 1")

                let letter = try #require(try transaction.serializedObject(forKey: "7", inCollection: "Letters"))
                #expect(String(decoding: letter, as: UTF8.self).contains("\"text\":\"Dear\""))
                let stamp = try #require(try transaction.serializedMetadata(forKey: "7", inCollection: "Letters"))
                #expect(String(decoding: stamp, as: UTF8.self) == "{\"cents\":80}")
            }
        }
    }

    /// A file with classes of another module, as one of the original is.
    @Test func namesInArchivesCanBeThoseOfAnotherProgram() throws {
        YapDatabase.registerArchivedClass(Label.self, as: "Depot.Label")
        try withDatabase { database, connection throws in
            try connection.write(Parcel(metadata: Label("fragile"), identifier: 1, weight: 2))
            let bytes = try connection.read { try $0.serializedMetadata(forKey: "1", inCollection: "Parcels") }
            let archive = try #require(bytes)
            #expect(archive.range(of: Data("Depot.Label".utf8)) != nil)
            #expect(archive.range(of: Data("YapDatabaseExtensionsTests".utf8)) == nil)
            let parcel = try Parcel.read(database.newConnection()).byKey("1")
            #expect(parcel?.metadata?.text == "fragile")
        }
    }

    @Test func anArchivedIndexRefersToAnotherRow() throws {
        try withDatabase { database, connection throws in
            let index = Product.sample(1, content: 1, metadata: 2).index
            try connection.readWrite { try $0.setObject(index.encoded, forKey: "reference", inCollection: "test") }
            let found = try database.newConnection().read { try $0.object(forKey: "reference", inCollection: "test") }
            #expect(YapDB.Index.decode(found) == index)
        }
    }

    @Test func coderOfANestedClassIsKnownByItsType() throws {
        try withDatabase { database, connection throws in
            try connection.write(Stamp(identifier: 1, cents: 80))
            #expect(try Stamp.read(database.newConnection()).byKey("1")?.cents == 80)
        }
    }

    @Test func aClassWithoutANameIsAnErrorBeforeAnythingIsStored() throws {
        final class Hidden: NSObject, NSCoding {
            override init() {}
            init?(coder: NSCoder) {}
            func encode(with coder: NSCoder) {}
        }
        try withDatabase { _, connection throws in
            try connection.readWrite { transaction throws in
                let error = #expect(throws: YapDatabaseError.self) {
                    try transaction.setObject(Hidden(), forKey: "1", inCollection: "hidden")
                }
                #expect(error?.code == .encodingFailed && "\(error, default: "")".contains("registerArchivedClass"))
            }
        }
    }

    @Test func damagedArchivesOfObjectsAreErrorsOrOtherValues() throws {
        let serializer = YapDatabase.defaultSerializer()
        let archives = [
            try serializer("c", "k", Product.sample(1, content: 1, metadata: 2).encoded),
            try serializer("c", "k", Employee.sample(1, content: 2, metadata: 1)),
        ]
        let deserializer = YapDatabase.defaultDeserializer()
        var random = SplitMix64(seed: 16)
        var errors = 0
        for round in 0..<3_000 {
            var archive = archives[round % 2]
            for _ in 0...random.below(3) { archive[random.below(archive.count)] = UInt8(random.below(256)) }
            do { _ = try deserializer("c", "k", archive) } catch { errors += 1 }
        }
        #expect(errors > 1_000)
    }

    @Test func archivesMakeNoObjectsOfClassesThatTheProgramHasNotOffered() throws {
        try withDatabase { database, connection throws in
            // What another program stored.
            database.registerObjectSerializer(
                { _, _, value in
                    try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
                }, forCollection: "c")
            try connection.readWrite { try $0.setObject(Unoffered(), forKey: "1", inCollection: "c") }
            let error = #expect(throws: YapDatabaseError.self) {
                try database.newConnection().read { try $0.object(forKey: "1", inCollection: "c") }
            }
            #expect(error?.code == .decodingFailed && "\(error, default: "")".contains("registerArchivedClass"))
        }
    }
}

final class Unoffered: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

struct Stamp: Persistable, ValueCoding {
    final class Coder: NSObject, NSCoding, CodingType {
        let value: Stamp

        init(_ value: Stamp) { self.value = value }

        init?(coder: NSCoder) {
            value = Stamp(
                identifier: coder.decodeInteger(forKey: "identifier"), cents: coder.decodeInteger(forKey: "cents"))
        }

        func encode(with coder: NSCoder) {
            coder.encode(value.identifier, forKey: "identifier")
            coder.encode(value.cents, forKey: "cents")
        }
    }

    static let collection = "Stamps"
    let identifier: Int
    let cents: Int
}
