import Foundation
import Testing

@Suite struct BenchCommandTests {
    @Test func listNamesEveryCaseOnce() throws {
        let bench = try bench(["--list"])
        let names = bench.lines
        #expect(bench.code == 0)
        #expect(Set(names).count == names.count)
        for name in ["changeset_k/100000", "changeset_n_last50/10000000", "insert/full", "commit_to_screen"] {
            #expect(names.contains(name))
        }
    }

    @Test func jsonIsOneObjectACase() throws {
        let bench = try bench(["--json", "frame_one_row", "encode/json"])
        let objects = try bench.objects()
        #expect(bench.code == 0)
        #expect(objects.map { $0["name"] as? String } == ["encode/json", "frame_one_row"])
        #expect(objects.map { $0["n"] as? Int } == [1, 10_000])
        #expect(objects.map { $0["k"] as? Int } == [1, 1])
        #expect(objects.map { $0["unit"] as? String } == ["µs", "ms"])
        #expect(objects[1]["ratio"] is NSNull && objects[1]["reference"] is NSNull)
        let value = try #require(objects[0]["value"] as? Double)
        let reference = try #require(objects[0]["reference"] as? Double)
        let ratio = try #require(objects[0]["ratio"] as? Double)
        #expect(value > 0 && reference > 0)
        #expect(abs(ratio - value / reference) < 1e-9)
    }

    @Test func theTableSaysWhetherATargetIsMet() throws {
        let bench = try bench(["frame_one_row_bytes"])
        let text = bench.lines.joined(separator: "\n")
        #expect(bench.code == 0)
        #expect(text.contains(/frame_one_row_bytes +\d+ bytes +at most 300 bytes met/))
    }

    @Test func helpShowsHowToCallIt() throws {
        let bench = try bench(["--help"])
        #expect(bench.lines.first == "Usage: yap-bench [--json] [NAME …]")
        #expect(bench.code == 0)
    }

    @Test(arguments: [(["nonsense"], "no case \"nonsense\""), (["--fast"], "no option \"--fast\"")])
    func aWrongCallSaysWhatToDo(arguments: [String], text: String) throws {
        let bench = try bench(arguments)
        #expect(bench.lines.isEmpty)
        #expect(bench.code == 2)
        #expect(bench.errors.contains(text))
    }

    private func bench(_ arguments: [String]) throws -> YapRun { try YapRun(arguments, product: "yap-bench") }
}
