import Foundation
import TestSupport
import Testing

@testable import FileEngine

/// The turns of writers. Two open files are as good as two processes, and the time is a number.
@Suite struct WriterLineTests {
    @Test func writersSitInTheOrderInWhichTheyCameWhoeverEndsOrDies() throws {
        for seed in 0..<UInt64(Effort.cases(60)) {
            try withTemporaryFolder { folder throws in
                var scene = try LineScene(folder)
                var random = SplitMix64(seed: seed)
                for _ in 0..<100 { try scene.step(&random) }
            }
        }
    }

    @Test func whoHasWrittenForATurnLetsAllGoFirstThatWait() throws {
        try withTemporaryFolder { folder throws in
            let scene = try LineScene(folder)
            let (one, two) = (scene.lines[0], scene.lines[1])
            #expect(one.begin() == true)
            #expect(one.begin() == nil, "another handle of the process waits for SQLite's lock alone")
            one.end(hasBegun: true)
            #expect(two.begin() == true)
            two.wait()
            scene.pass(WriterLine.turn - 1)
            #expect(one.begin() == true, "its turn lasts")
            one.end(hasBegun: true)
            scene.pass(1)
            #expect(one.begin() == false)
            one.wait()
            #expect((one.chair, two.chair) == (1, 0))
            #expect(two.moveUp() && !one.moveUp())
            two.end(hasBegun: true)
            #expect(one.moveUp() && one.chair == 0)
            one.end(hasBegun: false)
            scene.pass(WriterLine.turn)
            #expect(two.begin() == true, "one that has given up is not in line")
        }
    }

    @Test func whoDoesNotGetFurtherTriesOutOfTurn() throws {
        try withTemporaryFolder { folder throws in
            let scene = try LineScene(folder)
            for line in scene.lines[0..<3] {
                _ = line.begin()
                line.wait()
            }
            // The first has been stopped: it does nothing from here on.
            scene.pass(WriterLine.patience - 1)
            #expect(!scene.lines[1].moveUp() && !scene.lines[2].moveUp())
            scene.pass(1)
            #expect(scene.lines[1].moveUp() && scene.lines[1].chair == 1)
            scene.lines[1].end(hasBegun: true)
            #expect(!scene.lines[2].moveUp() && scene.lines[2].chair == 1, "it has moved, and waits again")
            // The second knows by now that one is stopped.
            scene.pass(WriterLine.turn)
            #expect(scene.lines[1].begin() == false)
            scene.lines[1].wait()
            scene.pass(WriterLine.patienceAfterStop)
            #expect(scene.lines[1].chair == 2 && scene.lines[1].moveUp())
        }
    }

    @Test func moreThanThereAreChairsWaitWithoutOne() throws {
        try withTemporaryFolder { folder throws in
            let scene = try LineScene(folder, processes: Presence.chairs + 1)
            for line in scene.lines {
                _ = line.begin()
                line.wait()
            }
            #expect(scene.lines.compactMap(\.chair) == Array(0..<Presence.chairs))
            #expect(scene.lines.last?.chair == nil && scene.lines.last?.moveUp() == true)
        }
    }
}

/// Processes with one file, and the order in which they wait.
private struct LineScene {
    private(set) var presences: [Presence]
    private(set) var lines: [WriterLine]
    private let path: String
    private let time = Locked<UInt64>(1_000_000_000)
    /// The numbers of those that wait.
    private var waiting: [Int] = []

    init(_ folder: URL, processes: Int = 5) throws {
        let path = folder.appending(path: "file").path
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        self.path = path
        presences = try (0..<processes).map { _ in try Presence(path: path) }
        let time = time
        lines = presences.map { WriterLine($0) { time.withLock { $0 } } }
    }

    func pass(_ nanoseconds: UInt64) { time.withLock { $0 += nanoseconds } }

    /// One process comes, gets the lock or gives up, or dies; then all look.
    mutating func step(_ random: inout SplitMix64) throws {
        let number = Int.random(in: lines.indices, using: &random)
        switch (Int.random(in: 0..<4, using: &random), waiting.firstIndex(of: number)) {
        case (0, _):
            waiting.removeAll { $0 == number }
            try restart(number)
        case (_, let place?):
            lines[number].end(hasBegun: Bool.random(using: &random))
            waiting.remove(at: place)
        case (_, nil):
            pass(WriterLine.turn)
            let mayTry = lines[number].begin()
            try #require(mayTry == waiting.isEmpty)
            lines[number].wait()
            waiting.append(number)
        }
        for number in waiting.shuffled(using: &random) { _ = lines[number].moveUp() }
        let chairs = waiting.map { lines[$0].chair ?? -1 }
        try #require(zip(chairs, chairs.dropFirst()).allSatisfy(<), "\(waiting) sit on \(chairs)")
        for number in waiting { _ = lines[number].moveUp() }
        try #require(waiting.map { lines[$0].chair } == waiting.indices.map { $0 })
    }

    /// The process dies, and starts again.
    private mutating func restart(_ number: Int) throws {
        presences[number] = try Presence(path: path)
        let time = time
        lines[number] = WriterLine(presences[number]) { time.withLock { $0 } }
    }
}
