import Foundation
import Testing
import ValueCoding
import YapDatabase
import YapDatabaseExtensions

/// What the original announces as renamed, and what its documents say of completion blocks and orders.
@Suite struct EarlierNamesTests {
    @available(*, deprecated)
    @Test func aTypeWithTheFormerNamesIsStored() throws {
        try withDatabase { _, connection throws in
            let tag = OldTag(identifier: "a", text: "first")
            try connection.write(tag)
            #expect(try connection.readByKey("a") == tag && OldTag.ArchiverType.self == OldTagArchiver.self)
            let box = OldBox(identifier: "b", metadata: tag)
            try connection.write(box)
            let found: OldBox? = try connection.readByKey("b")
            #expect(found?.metadata == tag)
        }
    }

    @Test func allItemsAreInTheOrderOfTheirNumbers() throws {
        struct Page: Persistable, Codable {
            static let collection = "pages"
            let identifier: Int
        }
        try withDatabase { _, connection throws in
            try [10, 2, 1, 11, -3].map(Page.init).write(connection)
            let pages: [Page] = try connection.readAll()
            #expect(pages.map(\.identifier) == [-3, 1, 2, 10, 11])
        }
    }
}

@available(*, deprecated)
struct OldTag: Saveable, Persistable, Equatable {
    typealias ArchiverType = OldTagArchiver
    static let collection = "tags"
    let identifier: String
    let text: String
}

@available(*, deprecated)
final class OldTagArchiver: NSObject, NSCoding, Archiver {
    let value: OldTag
    init(_ value: OldTag) { self.value = value }
    init?(coder: NSCoder) {
        guard let text = coder.decodeObject(forKey: "text") as? String else { return nil }
        value = OldTag(identifier: "a", text: text)
    }
    func encode(with coder: NSCoder) { coder.encode(value.text, forKey: "text") }
}

@available(*, deprecated)
struct OldBox: Saveable, ValueMetadataPersistable {
    typealias ArchiverType = OldBoxArchiver
    static let collection = "boxes"
    let identifier: String
    var metadata: OldTag?
}

@available(*, deprecated)
final class OldBoxArchiver: NSObject, NSCoding, Archiver {
    let value: OldBox
    init(_ value: OldBox) { self.value = value }
    init?(coder: NSCoder) { value = OldBox(identifier: "b") }
    func encode(with coder: NSCoder) {}
}
