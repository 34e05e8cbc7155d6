/// `docs/wiki-samples.md` names what there is.
@Suite struct WikiSamplesDocumentTests {
    @Test func theTestsOfTheTableExist() throws {
        let folder = repository.appending(path: "Tests/WikiTests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let code = try paths.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
        let text = try String(contentsOf: repository.appending(path: "docs/wiki-samples.md"), encoding: .utf8)
        let tests = text.matches(of: /`(\w+Tests)\.(\w+)`/)
        #expect(tests.count >= 29)
        for test in tests {
            #expect(code.contains("struct \(test.1) {") && code.contains("func \(test.2)("), "\(test.0) is missing")
        }
        let files = text.matches(of: /`((?:Animating|Mappings|Views|ViewsInside)\/\w+)`/)
        #expect(files.count >= 12)
        for file in files { #expect(paths.contains("\(file.1).swift"), "\(file.0) is missing") }
    }
}
