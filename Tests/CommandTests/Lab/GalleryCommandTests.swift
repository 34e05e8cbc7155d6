import Foundation
import Testing

@Suite struct GalleryCommandTests {
    @Test func theNamesAreListedAndEachCanBeShown() throws {
        let names = try output(["lab", "--gallery"]).split(separator: "\n").map { $0.split(separator: " ")[0] }
        #expect(names.first == "roster" && names.count >= 16)
        for name in names {
            let text = try output(["lab", "--gallery", String(name)])
            #expect(text.contains("\nStep 1 of ") && text.contains("A RELOAD SHOWS"), "\(name)")
        }
    }

    @Test func anEntryAsJSONIsAScenarioToReplay() throws {
        let entry = try output(["lab", "--gallery", "roster", "--json"])
        #expect(entry.split(separator: "\n").count == 1)
        let replay = try YapRun(["lab", "--replay", "-"], input: entry)
        #expect(replay.lines.first?.contains(#""rows":["Alice"]"#) == true)
        #expect(replay.code == 0)
    }

    @Test func theListAsJSONHasALineForEach() throws {
        let lines = try output(["lab", "--gallery", "--json"]).split(separator: "\n")
        #expect(lines.first == #"{"name":"roster","title":"Sections that come and go","kind":"example"}"#)
        #expect(lines.last?.contains(#""kind":"defect","defect":9"#) == true)
    }

    @Test(
        arguments: [
            (["lab", "--gallery", "absent"], 1, "The gallery has no \"absent\"; there are roster, "),
            (["lab", "--gallery", "roster", "hi"], 2, "One scenario at a time."),
        ] as [([String], Int32, String)])
    func aWrongCallSaysWhatToDo(arguments: [String], code: Int32, text: String) throws {
        let run = try YapRun(arguments)
        #expect(run.lines == [] && run.code == code)
        #expect(run.errors.contains(text))
    }
}
