import Foundation

/// A process of these cases: what it does, for whom, with which file.
struct Job {
    let work: CompanyWork
    let contender: Contender
    let file: URL
    /// Rows, groups or lists, as the work says.
    var number = 0
    var lists = 0

    fileprivate var arguments: [String] {
        ["--company", work.rawValue, contender.rawValue, file.path, "\(number)", "\(lists)"]
    }

    /// - Parameter words: the arguments after `--company`.
    init(_ words: [String]) throws {
        guard words.count == 5, let work = CompanyWork(rawValue: words[0]),
            let contender = Contender(rawValue: words[1]),
            let number = Int(words[3]), let lists = Int(words[4])
        else { throw UsageError("--company is for the program itself.") }
        self.init(work, contender, URL(filePath: words[2]), number, lists: lists)
    }

    init(_ work: CompanyWork, _ contender: Contender, _ file: URL, _ number: Int = 0, lists: Int = 0) {
        (self.work, self.contender, self.file, self.number, self.lists) = (work, contender, file, number, lists)
    }

    /// Does the work in a fresh process.
    /// - Returns: the numbers that it prints.
    @discardableResult
    func run() throws -> [Double] { try Crew([self]).finish()[0] }
}

/// Processes that begin their work together.
struct Crew {
    private let members: [(process: Process, input: Pipe, output: Pipe)]

    /// Returns when all have the file open.
    init(_ jobs: [Job]) throws {
        members = try jobs.map { job in
            let (process, input, output) = (Process(), Pipe(), Pipe())
            process.executableURL = try ownProgram()
            process.arguments = job.arguments
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            return (process, input, output)
        }
        for member in members {
            guard try member.output.fileHandleForReading.read(upToCount: 1)?.isEmpty == false else {
                throw RawError("A process of the case has failed.")
            }
        }
    }

    /// Lets all begin, and waits for their ends.
    /// - Returns: the numbers of each; none of one that was killed.
    func finish(meanwhile body: () throws -> Void = {}) throws -> [[Double]] {
        for member in members { try? member.input.fileHandleForWriting.close() }
        try body()
        return try members.map { member in
            let text = String(
                decoding: try member.output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            member.process.waitUntilExit()
            // One that ends as after `kill -9` is meant to.
            let isKilled =
                member.process.terminationReason == .uncaughtSignal && member.process.terminationStatus == SIGKILL
            guard member.process.terminationStatus == 0 || isKilled else {
                throw RawError("A process of the case ended with \(member.process.terminationStatus): \(text)")
            }
            return text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        }
    }

    /// Called by a process of a crew when it is ready: waits until all are.
    static func waitForOthers() {
        print("r", terminator: "")
        fflush(nil)
        _ = try? FileHandle.standardInput.readToEnd()
    }
}
