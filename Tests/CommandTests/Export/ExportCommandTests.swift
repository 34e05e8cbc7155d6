import Foundation
import Testing
import YapDatabase

@Suite struct ExportCommandTests {
    @Test(arguments: ["books", "chat", "json"]) func aFileComesBackOutOfAFolder(name: String) async throws {
        try await withCopy(of: name) { url in
            let before = try FileTrace(url)
            try withTemporaryFolder { folder in
                let (rows, copy) = (folder.appending(path: "rows").path, folder.appending(path: "copy.sqlite"))
                let code = try run(["export", "--to", rows, url.path])
                #expect(code == 0)
                #expect(try FileTrace(url) == before)
                #expect(try run(["import", rows, copy.path]) == 0)
                #expect(try YapDatabase.check(url: copy) == [])
                let sql = "SELECT rowid, collection, key, hex(data), hex(metadata) FROM database2"
                #expect(try IndependentReader(path: copy.path).rows(sql) == IndependentReader(path: url.path).rows(sql))
            }
        }
    }

    @Test func aDamagedLineIsNamedAndLeavesNoFile() async throws {
        try withTemporaryFolder { folder in
            let lines = folder.appending(path: "lines.jsonl")
            let head = #"{"yap":1,"pageSize":4096,"encoding":"UTF-8","autoVacuum":1,"userVersion":3,"applicationID":0}"#
            try Data("\(head)\n{\"table\": 5}\n".utf8).write(to: lines)
            let copy = folder.appending(path: "copy.sqlite").path
            let process = try YapProcess(["import", lines.path, copy])
            #expect(process.exitCode() == 1)
            #expect(process.errorText().contains("lines.jsonl, line 2: this is no line of an export"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["lines.jsonl"])
        }
    }

    private func run(_ arguments: [String]) throws -> Int32? {
        let process = try YapProcess(arguments)
        while try process.readLine() != nil {}
        return process.exitCode()
    }
}
