import Foundation
import Testing

@testable import YapDatabase

/// Keys of rows as values: `YapCollectionKey` of the original.
@Suite struct CollectionKeyTests {
    private static let dune = YapCollectionKey(collection: "books", key: "dune")

    /// What `NSKeyedArchiver` writes for one key.
    private static let archive = Data(
        base64Encoded: """
            YnBsaXN0MDDUAQIDBAUGBwpZJGFyY2hpdmVyWCR2ZXJzaW9uVCR0b3BYJG9iamVjdHNfEA9OU0tleWVkQXJjaGl2ZXISAAGGoNEICVRyb290\
            gAGlCwwTFBVVJG51bGzTDQ4PEBESWmNvbGxlY3Rpb25Ta2V5ViRjbGFzc4ACgAOABFVib29rc1RkdW5l0hYXGBlaJGNsYXNzbmFtZVgkY2xh\
            c3Nlc18QEFlhcENvbGxlY3Rpb25LZXmiGBpYTlNPYmplY3QIERskKTJESUxRU1lfZnF1fH6AgoiNkp2mubwAAAAAAAABAQAAAAAAAAAbAAAA\
            AAAAAAAAAAAAAAAAxQ==
            """)!

    /// The same for a dictionary from `("", "dune")` to the array of that key and `("books", "dune")`.
    private static let archiveOfMany = Data(
        base64Encoded: """
            YnBsaXN0MDDUAQIDBAUGBwpZJGFyY2hpdmVyWCR2ZXJzaW9uVCR0b3BYJG9iamVjdHNfEA9OU0tleWVkQXJjaGl2ZXISAAGGoNEICVRyb290\
            gAGsCwwVGxwdIigsLTAxVSRudWxs0w0ODxASFFdOUy5rZXlzWk5TLm9iamVjdHNWJGNsYXNzoRGAAqETgAWAC9MWFw8YGRpaY29sbGVjdGlv\
            blNrZXmAA4AEgAZQVGR1bmXSDg8eIaIfIIACgAeACdIjJCUmWiRjbGFzc25hbWVYJGNsYXNzZXNfEBBZYXBDb2xsZWN0aW9uS2V5oiUnWE5T\
            T2JqZWN00xYXDykqK4AIgASABlVib29rc9IjJC4vV05TQXJyYXmiLidWdW51c2Vk0iMkMjNcTlNEaWN0aW9uYXJ5ojInAAgAEQAbACQAKQAy\
            AEQASQBMAFEAUwBgAGYAbQB1AIAAhwCJAIsAjQCPAJEAmACjAKcAqQCrAK0ArgCzALgAuwC9AL8AwQDGANEA2gDtAPAA+QEAAQIBBAEGAQwB\
            EQEZARwBIwEoATUAAAAAAAACAQAAAAAAAAA0AAAAAAAAAAAAAAAAAAABOA==
            """)!

    @Test func aCollectionOfNilIsTheEmptyOne() {
        #expect(YapCollectionKey(collection: nil, key: "a") == RowKey(collection: "", key: "a"))
        #expect(Self.dune.collection == "books" && Self.dune.key == "dune")
    }

    @Test(arguments: [("b", "k"), ("", ""), ("ä", "e\u{301}🎉")])
    func aKeyIsCodable(collection: String, key: String) throws {
        let value = YapCollectionKey(collection: collection, key: key)
        let json = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(YapCollectionKey.self, from: json) == value)
        #expect(try JSONDecoder().decode([String: String].self, from: json) == ["collection": collection, "key": key])
        let list = try PropertyListEncoder().encode([value])
        #expect(try PropertyListDecoder().decode([YapCollectionKey].self, from: list) == [value])
    }

    @Test func aKeyOfAnArchiveOfTheOriginalIsRead() throws {
        #expect(try KeyedArchive.decode(Self.archive) as? YapCollectionKey == Self.dune)
        let many = try KeyedArchive.decode(Self.archiveOfMany) as? [AnyHashable: Any]
        let empty = YapCollectionKey(collection: "", key: "dune")
        #expect(many?[empty] as? [YapCollectionKey] == [empty, Self.dune])
    }

    @Test func aKeySurvivesARoundTripInTheOriginalsForm() throws {
        let archive = try KeyedArchive.encode(["key": Self.dune, "all": Set([Self.dune])] as [String: Any])
        let value = try KeyedArchive.decode(archive) as? [String: Any]
        #expect(value?["key"] as? YapCollectionKey == Self.dune)
        #expect(value?["all"] as? Set<YapCollectionKey> == [Self.dune])
        // The names of the class and its fields are the original's.
        let object = try KeyedArchive.decodeObject(KeyedArchive.encode(Self.dune))
        #expect(object.classes == ["YapCollectionKey", "NSObject"])
        let fields = object.fields.compactMapValues { field in
            if case .object(let text) = field { text as? String } else { nil }
        }
        #expect(fields == ["collection": "books", "key": "dune"])
    }

    @Test func foundationReadsTheArchive() throws {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: KeyedArchive.encode(Self.dune))
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(ForeignKey.self, forClassName: "YapCollectionKey")
        let key = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? ForeignKey
        #expect(key?.collection == "books" && key?.key == "dune")
    }

    @Test func aDamagedArchiveThrowsOrGivesAValue() throws {
        for index in Self.archive.indices {
            var damaged = Self.archive
            damaged[index] ^= 0xff
            _ = try? KeyedArchive.decode(damaged)
        }
        let list = try BinaryPropertyList.read(Self.archive)
        guard case .dictionary(var fields) = list, case .array(var objects)? = fields["$objects"],
            case .dictionary(var key) = objects[1]
        else {
            Issue.record("The archive is not understood.")
            return
        }
        key["key"] = nil
        objects[1] = .dictionary(key)
        fields["$objects"] = .array(objects)
        #expect(throws: BinaryPropertyList.Malformed.self) {
            try KeyedArchive.decode(BinaryPropertyList.dictionary(fields).bytes())
        }
    }

    @Test func aKeyBesideAnObjectThatOnlyFoundationReadsIsRefused() throws {
        let text = NSAttributedString(string: "t")
        #expect(throws: NotArchivable.self) { try KeyedArchive.encode([Self.dune, text] as [Any]) }
        #expect(throws: NotArchivable.self) { try KeyedArchive.encode([text, Self.dune] as [Any]) }
    }

    @Test func anObjectOfTheProgramHoldsAKey() throws {
        YapDatabase.registerArchivedClass(Favourite.self, as: "Favourite")
        let archive = try KeyedArchive.encode(["one": Favourite(Self.dune)])
        let found = try KeyedArchive.decode(archive) as? [String: Favourite]
        #expect(found?["one"]?.key == Self.dune)
    }

    @Test func aRowHoldsKeys() throws {
        try withTemporaryDatabase { database in
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                try transaction.setObject([Self.dune], forKey: "favourites", inCollection: "lists")
            }
            let other = try database.newConnection()
            let found = try other.read { try $0.object(forKey: "favourites", inCollection: "lists") }
            #expect(found as? [YapCollectionKey] == [Self.dune])
        }
    }
}

/// An object of a program, with a key in a field.
private final class Favourite: NSObject, NSCoding {
    let key: YapCollectionKey

    init(_ key: YapCollectionKey) { self.key = key }

    init?(coder: NSCoder) {
        guard let key = coder.decodeObject(forKey: "key") as? YapCollectionKey else { return nil }
        self.key = key
    }

    func encode(with coder: NSCoder) { coder.encode(key, forKey: "key") }
}

/// The original's class, as a program that is not ours would have it.
private final class ForeignKey: NSObject, NSCoding {
    let collection: String?
    let key: String?

    init?(coder: NSCoder) {
        collection = coder.decodeObject(forKey: "collection") as? String
        key = coder.decodeObject(forKey: "key") as? String
    }

    func encode(with coder: NSCoder) {}
}
