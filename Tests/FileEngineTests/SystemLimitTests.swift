import Glibc
import SQLiteBridge
import Testing

@testable import FileEngine

/// Limits of the process and the system are told as what they are, not as faults of the file.
@Suite struct SystemLimitTests {
    @Test(arguments: [
        (SQLiteError.cannotOpen, EMFILE, YapDatabaseError.Code.cannotOpen, "ulimit -n"),
        (SQLiteError.cannotOpen, ENFILE, .cannotOpen, "the system has"),
        (SQLiteError.inputOutput, EFBIG, .diskFull, "Nothing was stored. Raise the limit (`ulimit -f`)"),
        (SQLiteError.cannotOpen, ENOENT, .cannotOpen, "Check that its folder exists"),
        (SQLiteError.inputOutput, EIO, .inputOutput, "Check the disk"),
        (SQLiteError.full, 0, .diskFull, "The disk is full"),
        (SQLiteError.failedGrowthOfIndex, 0, .diskFull, "The disk is full"),
    ]) func anErrorNamesTheLimit(code: Int32, system: Int32, expected: YapDatabaseError.Code, text: String) {
        var error = SQLiteError(extendedCode: code, message: "SQLite's words")
        error.systemCode = system
        let told = YapDatabaseError(error, path: "/a/file")
        #expect(told.code == expected && told.message.contains(text) && told.message.contains("/a/file"), "\(told)")
        #expect(told.sqliteCode == code)
    }

    @Test func aLongStatementIsShortened() {
        let sql = String(repeating: "é?, ", count: 100_000)
        let error = YapDatabaseError(.badQuery, "It is wrong.", sql: sql)
        #expect(error.description.utf8.count < 1_200 && error.description.contains("(500000 bytes)"))
        #expect(error.sql == sql)
    }
}
