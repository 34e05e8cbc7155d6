import Foundation
import TestSupport
import Testing

/// `Scripts/clean-stale-modules.sh` removes the objects that an incremental build would wrongly keep.
@Suite struct StaleModulesTests {
    /// C imports B, B imports A, and D imports none of them. F imports E, which re-exports A.
    private static let sources = [
        "A": "struct Inner {\n    private var a = 1\n    func f() -> Int {\n        a\n    }\n}\n",
        "B": "import A\npackage struct Outer { var x = 7 }\n",
        "C": "@testable import B\nlet outer = Outer()\n",
        "D": "import Foundation\nstruct Other {}\n",
        "E": "@_exported import A\n",
        "F": "import E\nfunc g() { f() }\n",
    ]

    @Test func aStoredPropertyOfATypeCleansAllThatImportItsModule() throws {
        let kept = try modulesKept {
            $0.replacing("private var a = 1", with: "private var a = 1\n    private var b = 2")
        }
        #expect(kept == ["A", "D"])
    }

    @Test func aCaseWithAnotherPayloadCleansToo() throws {
        #expect(try modulesKept { $0 + "enum Kind {\n    case a(Int)\n}\n" } == ["A", "D"])
    }

    @Test func anotherSignatureCleansWhatImportsItThroughAnotherModule() throws {
        let kept = try modulesKept { $0.replacing("func f() -> Int {", with: "func f(_ b: Bool = true) -> Int {") }
        #expect(kept == ["A", "B", "C", "D", "E"])
    }

    @Test func aBodyACommentAndAComputedPropertyCleanNothing() throws {
        let kept = try modulesKept { source in
            source.replacing("        a\n", with: "        let b = a // two\n        return b\n")
                .replacing("    func f", with: "    var c: Int { 5 }\n    func f")
        }
        #expect(kept == ["A", "B", "C", "D", "E", "F"])
    }

    /// Runs the script before and after a change of A.
    private func modulesKept(_ change: (String) -> String) throws -> [String] {
        try withTemporaryFolder { root in
            let files = FileManager.default
            for folder in ["Scripts", ".build/some/debug"] {
                try files.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
            }
            try files.copyItem(
                at: repository.appending(path: "Scripts/declarations.awk"),
                to: root.appending(path: "Scripts/declarations.awk"))
            let objects = root.appending(path: ".build/some/debug")
            for (module, source) in Self.sources {
                let folder = root.appending(path: "Sources/\(module)")
                try files.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data(source.utf8).write(to: folder.appending(path: "file.swift"))
                let build = objects.appending(path: "\(module).build")
                try files.createDirectory(at: build, withIntermediateDirectories: true)
                for name in ["file.swift.o", "output-file-map.json"] {
                    try Data().write(to: build.appending(path: name))
                }
            }
            let script = repository.appending(path: "Scripts/clean-stale-modules.sh").path
            let arguments = [script, root.path, root.appending(path: ".build").path]
            #expect(try run("/bin/sh", arguments).code == 0)
            try Data(change(Self.sources["A"]!).utf8).write(to: root.appending(path: "Sources/A/file.swift"))
            let second = try run("/bin/sh", arguments)
            #expect(second.code == 0, "\(second.text)")
            // What the package manager made when it planned stays.
            return Self.sources.keys.sorted().filter { module in
                let build = objects.appending(path: "\(module).build")
                #expect(files.fileExists(atPath: build.appending(path: "output-file-map.json").path))
                return files.fileExists(atPath: build.appending(path: "file.swift.o").path)
            }
        }
    }
}
