import DatabaseTesting
import Foundation
import TestSupport
import Testing
import TortureLedger
import YapDatabase

/// Lists over related rows, with processes that are killed.
@Suite struct KilledRelatedRowsTests {
    /// Before each step of filling and of writes (in the short form a sample): the lists are what follows from the rows that are there.
    @Test func aKillAtAnyStepLeavesWhatFollowsFromTheRows() throws {
        try Torture.inFolder("related") { folder in
            let template = folder.appending(path: "template.sqlite")
            try Child.finish(["related", template.path], name: "make", in: folder)
            let kills = try KilledSteps(command: "relate", template: template, folder: folder).run(
                longest: Effort.isFull ? 8 : 60
            ) { file, step, _ in
                try Child.finish(["related-check", file.path], name: "check \(step)", in: folder)
            }
            try require(kills > 1, "there were too few steps to be killed")
        }
    }

    /// Two processes write, one of which registers nothing, and are killed now and then; this one follows a list by change-sets. In each
    /// write of a process that knows the lists, they are what follows from the rows.
    @Test func processesThatAreKilledLeaveTheListsRight() throws {
        var random = SplitMix64(seed: Torture.seed)
        try Torture.inFolder("related-processes") { folder in
            let file = folder.appending(path: "t.sqlite")
            try Child.finish(["related", file.path], name: "make", in: folder)
            var options = YapDatabaseOptions()
            options.busyTimeout = 60_000
            let database = try YapDatabase(url: file, options: options)
            try RelatedRows.register(database)
            let connection = try database.newConnection()
            let follower = try ListFollower(database, view: RelatedRows.board.name, groups: RelatedRows.teamNames)
            for round in 0..<Effort.cases(20) {
                let context = "seed \(Torture.seed), round \(round)"
                let writers = try ["relate-knowing", "relate-plain"].map { command in
                    try Child([command, file.path, "\(random.next() >> 1)"], name: "\(command) \(round)", in: folder)
                }
                let enough = 20 + Int.random(in: 0..<20, using: &random)
                try waitUntil("both have written, \(context)") {
                    try follower.advance("\(context)")
                    if random.percent(20) {
                        try connection.readWrite { transaction throws in
                            try RelatedRows.change(&random, in: transaction)
                            try RelatedRows.check(in: transaction)
                        }
                    }
                    return try writers.allSatisfy { writer in
                        try require(!writer.hasEnded, "a writer ended, \(context): \(writer.lastWords)")
                        return try String(contentsOf: writer.output, encoding: .utf8).utf8.count(where: { $0 == 10 })
                            >= enough
                    }
                }
                for writer in writers { try require(writer.kill() == -SIGKILL, "\(context): \(writer.lastWords)") }
                try connection.readWrite { try RelatedRows.change(&random, in: $0) }
                try connection.read { try RelatedRows.check(in: $0) }
                try follower.advance("\(context)")
                let problems = try YapDatabase.check(url: file)
                try require(problems.isEmpty, "\(context): \(problems)")
                for child in writers { child.removeFiles() }
            }
            try database.close()
            try Child.finish(["related-check", file.path], name: "check", in: folder)
        }
    }
}
