import Foundation
import TestSupport
import TortureLedger
import YapDatabase

/// A command of the probe that works on a file and is killed before each of its steps in turn, each time on a new copy of the file.
struct KilledSteps {
    /// Its arguments are the file and the number of the step.
    let command: String
    let template: URL
    let folder: URL

    /// Kills it before its first step and later ones until it has none left. The whole-file check must find nothing after each.
    /// - Parameters:
    ///   - longest: in the short form, a sample of the steps is taken: the next is less than so many further on.
    ///   - check: checks the file after a kill, and after the end.
    /// - Returns: the number of kills.
    func run(longest: Int, check: (_ file: URL, _ step: Int, _ child: Child) throws -> Void) throws -> Int {
        let file = folder.appending(path: "t.sqlite")
        var random = SplitMix64(seed: Torture.seed)
        var (step, kills) = (1, 0)
        while true {
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) }
            try FileManager.default.copyItem(at: template, to: file)
            let child = try Child([command, file.path, "\(step)"], name: "\(command) \(step)", in: folder)
            let end = child.end()
            try require([0, -SIGKILL].contains(end), "step \(step) ended with \(end): \(child.lastWords)")
            let problems = try YapDatabase.check(url: file)
            try require(problems.isEmpty, "step \(step): \(problems)")
            try check(file, step, child)
            child.removeFiles()
            if end == 0 { break }
            kills += 1
            step += Torture.isLong ? 1 : Int.random(in: 1..<longest, using: &random)
        }
        print("torture \(command): \(kills) kills before \(step) steps")
        return kills
    }
}
