/// Lines in the form of an export whose statements do something other than create what they name.
public struct HostileExport: Sendable, CustomStringConvertible {
    public let description: String
    public let lines: [String]
    /// A part of the error's message.
    public let words: String

    public static let all: [HostileExport] =
        statements.map { description, kind, sql in
            HostileExport(
                description: description, lines: [head, table, create(kind, sql), rowCount], words: "is not run")
        }
        + [
            HostileExport(
                description: "a generated column that fills the disk",
                lines: [head, create("table", "CREATE TABLE t (a, b AS (zeroblob(60000000)) STORED)")]
                    + (0..<40).map { #"{"table":"t","rowid":\#($0),"values":{"a":1}}"# },
                words: "times as large"),
            HostileExport(
                description: "a long statement",
                lines: [head, create("table", "CREATE TABLE t (\(String(repeating: "/* */", count: 250_000)) a)")],
                words: "has more than"),
            HostileExport(
                description: "many tables",
                lines: [head] + (0...50_000).map { create("shadow", "CREATE TABLE t\($0) (a)") },
                words: "more than 50000"),
            HostileExport(
                description: "a thing of no kind", lines: [head, create("database", "CREATE TABLE t (a)")],
                words: "should be"),
        ]

    private static let endless = "WITH RECURSIVE e(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM e) SELECT a FROM e"

    /// What each line claims to create, and its statement.
    private static let statements = [
        ("a table of an endless query", "table", "CREATE TABLE x AS \(endless)"),
        ("a table of a query", "table", "CREATE TABLE x AS SELECT 1"),
        ("a temporary table", "table", "CREATE TEMP TABLE x (a)"),
        ("a temporary trigger", "trigger", "CREATE TEMP TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END"),
        ("a virtual table for a table", "table", "CREATE VIRTUAL TABLE x USING fts5(a)"),
        ("a virtual table of another module", "virtual", "CREATE VIRTUAL TABLE x USING dbstat"),
        ("an endless query for a virtual table", "index", "CREATE TABLE x AS \(endless)"),
        ("a trigger for a table", "table", "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END"),
        ("a table for a view", "view", "CREATE TABLE x (a)"),
        ("a function that loads code", "table", "CREATE TABLE x (a CHECK (load_extension('x')))"),
    ]

    private static let head =
        #"{"yap":1,"pageSize":4096,"encoding":"UTF-8","autoVacuum":1,"userVersion":3,"applicationID":0}"#
    private static let table = create("table", "CREATE TABLE t (a)")
    private static let rowCount = #"{"rows":{}}"#

    private static func create(_ kind: String, _ sql: String) -> String {
        #"{"create":"\#(kind)","name":"x","sql":"\#(sql)"}"#
    }
}
