import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import FileEngine

/// A file that another process closes at the moment: it copies the log into the file, the header first, and then removes the log.
@Suite struct UnopenedFileTests {
    /// What the other process does between the look at the file and that for a log.
    private enum Meanwhile: CaseIterable {
        case nothing, removesTheLog, completesTheFile
    }

    /// The header counts more pages than are there.
    private func makeShort(_ url: URL) throws {
        try SQLiteHandle(path: url.path, mode: .create).execute("CREATE TABLE t (a)")
        var bytes = try Data(contentsOf: url)
        bytes[31] += 3
        try bytes.write(to: url)
    }

    @Test(arguments: Meanwhile.allCases.indices) func itIsCutOffOnlyIfItStaysSo(number: Int) throws {
        let meanwhile = Meanwhile.allCases[number]
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let log = URL(filePath: url.path + "-wal")
            try makeShort(url)
            if meanwhile == .removesTheLog { try Data([1]).write(to: log) }
            let file = try #require(
                try UnopenedFile(path: url.path) {
                    switch meanwhile {
                    case .nothing: break
                    case .removesTheLog: try FileManager.default.removeItem(at: log)
                    case .completesTheFile:
                        let handle = try FileHandle(forWritingTo: url)
                        try handle.seekToEnd()
                        try handle.write(contentsOf: Data(count: 3 * 4_096))
                        try handle.close()
                    }
                })
            if meanwhile == .nothing {
                let error = #expect(throws: YapDatabaseError.self) { try file.checkShape() }
                #expect(error?.code == .truncated)
            } else {
                try file.checkShape()
            }
        }
    }
}
