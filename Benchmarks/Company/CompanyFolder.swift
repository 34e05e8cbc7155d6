import Foundation

/// The files of a case, each made once by a process of its own.
@MainActor final class CompanyFolder {
    private let url: URL
    private var made: [String: URL] = [:]
    private var copies = 0

    init(_ url: URL) { self.url = url }

    func newFile() -> URL {
        copies += 1
        return url.appending(path: "new \(copies).sqlite")
    }

    /// A file of items.
    /// - Parameter isKilled: whether the process that made it has not closed it.
    func file(_ contender: Contender, rows: Int, lists: Int = 0, isKilled: Bool = false) throws -> URL {
        try file("\(contender) \(rows) \(lists) \(isKilled)") {
            Job(isKilled ? .fillAndDie : .fill, contender, $0, rows, lists: lists)
        }
    }

    /// A file of ours with a list of so many groups.
    func groupedFile(_ groups: Int) throws -> URL {
        try file("groups \(groups)") { Job(.fillGroups, .ours, $0, groups, lists: 1) }
    }

    private func file(_ name: String, _ job: (URL) -> Job) throws -> URL {
        if let file = made[name] { return file }
        let file = url.appending(path: "\(name).sqlite")
        try job(file).run()
        made[name] = file
        return file
    }

    /// A copy that replaces the one before.
    func copy(_ file: URL) throws -> URL {
        let copy = url.appending(path: "copy.sqlite")
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy.path + suffix) }
        try copyDatabase(file, to: copy)
        return copy
    }

    /// Writers beside four processes that read.
    /// - Returns: microseconds a commit of all writers, and the milliseconds of the longest.
    func race(_ contender: Contender, writers: Int) throws -> (pace: Double, wait: Double) {
        let file = try file(contender, rows: CompanyWork.rows)
        let jobs = (0..<writers + 4).map { Job($0 < writers ? .write : .read, contender, file) }
        let numbers = try Crew(jobs).finish()[..<writers]
        let commits = numbers.reduce(0) { $0 + $1[0] }
        return (numbers[0][1] * 1e6 / commits, numbers.map { $0[2] }.max() ?? 0)
    }

    func besideStill(_ contender: Contender) throws -> [Double] {
        try Job(.writeBesideStill, contender, copy(file(contender, rows: CompanyWork.rows))).run()
    }
}
