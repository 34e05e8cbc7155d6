import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// The tables of a cloud core as the original makes them, white space aside.
let originalCloudLayout = [
    #"CREATE TABLE "cloudcore_mapping_cloud" ("database_rowid" INTEGER NOT NULL,"cloudURI" TEXT NOT NULL)"#,
    #"CREATE TABLE "cloudcore_pipeline3_cloud" ("rowid" INTEGER PRIMARY KEY,"name" TEXT NOT NULL,"algorithm" INTEGER NOT NULL)"#,
    #"CREATE TABLE "cloudcore_queue2_cloud" ("rowid" INTEGER PRIMARY KEY,"pipelineID" INTEGER,"graphID" INTEGER NOT NULL,"operation" BLOB)"#,
    #"CREATE TABLE "cloudcore_tag_cloud" ("key" TEXT NOT NULL,"identifier" TEXT NOT NULL,"tag" BLOB NOT NULL,PRIMARY KEY ("key","identifier"))"#,
    #"CREATE INDEX "cloudURI" ON "cloudcore_mapping_cloud" ("cloudURI")"#,
    #"CREATE INDEX "database_rowid" ON "cloudcore_mapping_cloud" ("database_rowid")"#,
]

/// The first column of a query, by a program of its own.
func lines(_ url: URL, _ sql: String) throws -> [String] {
    let handle = try SQLiteHandle(path: url.path, mode: .readOnly, busyTimeout: 1_000)
    let statement = try handle.statement(sql)
    defer { statement.reset() }
    var lines: [String] = []
    while try statement.step() { lines.append(statement.text(at: 0) ?? "NULL") }
    return lines
}

/// Launches on one file, one after the other; each ends with the whole-file check.
func withCloudLaunches(
    _ body: (
        URL, _ launch: (YapDatabaseCloudCore, (YapDatabaseConnection, YapDatabase) throws -> Void) throws -> Void
    )
        throws -> Void
) throws {
    try withTemporaryFolder { folder throws in
        let url = folder.appending(path: "t.sqlite")
        try body(url) { cloud, work in
            cloud.suspend()
            let database = try YapDatabase(url: url, options: .forTests)
            try database.register(cloud, withName: "cloud")
            try work(database.newConnection(), database)
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}

/// What NSKeyedArchiver makes of an operation on Apple's systems.
func appleArchive(_ className: String, _ uuid: UUID, version: Int64 = 1, after other: UUID? = nil) throws
    -> [UInt8]
{
    let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
    var objects: [BinaryPropertyList] = [.string("$null")]
    var fields: [String: BinaryPropertyList] = [
        "uuid": .uid(2), "priority": .integer(3), "dependencies": .uid(0), "persistentUserInfo": .uid(4),
        "path": .uid(7), "$class": .uid(8),
    ]
    if version != 0 { fields["version_base"] = .integer(version) }
    func named(_ names: String...) -> BinaryPropertyList {
        .dictionary(["$classname": .string(names[0]), "$classes": .array(names.map(BinaryPropertyList.string))])
    }
    if other != nil {
        fields["dependencies"] = .uid(9)
    }
    objects += [
        .dictionary(fields), .dictionary(["NS.uuidbytes": .data(bytes), "$class": .uid(3)]),
        named("NSUUID", "NSObject"),
        .dictionary(["NS.keys": .array([.uid(5)]), "NS.objects": .array([.uid(5)]), "$class": .uid(6)]),
        .string("key"), named("NSDictionary", "NSObject"), .string("/from/apple"),
        named(className, "YapDatabaseCloudCoreOperation", "NSObject"),
    ]
    if let other {
        let set = version == 0 ? "NSArray" : "NSSet"
        objects += [
            .dictionary(["NS.objects": .array([.uid(10)]), "$class": .uid(11)]),
            .dictionary([
                "NS.uuidbytes": .data(withUnsafeBytes(of: other.uuid) { Data($0) }), "$class": .uid(3),
            ]), named(set, "NSObject"),
        ]
    }
    return Array(
        BinaryPropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]), "$objects": .array(objects),
        ]).bytes())
}

/// A file whose tables the original made, with operations of commit 7.
func makeOriginalFile(_ url: URL, _ operations: [[UInt8]]) throws {
    try YapDatabase(url: url, options: .forTests).close()
    let handle = try foreignProgram(url)
    // The original writes more white space.
    for sql in originalCloudLayout { try handle.execute(sql.replacing(",", with: ",\n  ")) }
    try handle.execute(
        """
        INSERT INTO yap2 VALUES ('cloud', 'class', 'YapDatabaseCloudCore'), ('cloud', 'classVersion', 3), \
        ('cloud', 'versionTag', '1')
        """)
    try handle.execute("INSERT INTO cloudcore_pipeline3_cloud VALUES (1, 'default', 0)")
    try handle.execute("INSERT INTO cloudcore_tag_cloud VALUES ('/a', 'eTag', 'x'), ('/a', 'n', 5)")
    try handle.execute("INSERT INTO database2 VALUES (1, 'c', 'k', x'00', NULL)")
    try handle.execute("INSERT INTO cloudcore_mapping_cloud VALUES (1, '/a')")
    for bytes in operations {
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        try handle.execute("INSERT INTO cloudcore_queue2_cloud VALUES (NULL, NULL, 7, x'\(hex)')")
    }
}

/// A class that has another name in files.
final class AppleUpload: Upload {}

/// An operation that no coder can read.
final class FixedUpload: YapDatabaseCloudCoreOperation {
    let name: String

    init(_ name: String, _ uuid: UUID) {
        self.name = name
        super.init(uuid: uuid)
    }

    convenience init?(_ data: Data) {
        let parts = String(decoding: data, as: UTF8.self).split(separator: " ")
        guard parts.count == 2, let uuid = UUID(uuidString: String(parts[1])) else { return nil }
        self.init(String(parts[0]), uuid)
    }

    required init?(coder: NSCoder) { nil }

    override func copy(with zone: NSZone? = nil) -> Any { FixedUpload(name, uuid) }
}
