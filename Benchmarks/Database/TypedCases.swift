import Foundation
import YapDatabase

/// The typed forms, against the untyped ones that they stand on.
let typedCases: [Case] = [typedWriteCase, typedReadCase, typedViewCase, listUpdateCase]

/// Typed rows: like ``Person``, with its key.
private struct Member: Codable, Sendable, Identifiable {
    var id: Int
    var name, email, city: String
    var age: Int
    var score: Double

    init(_ number: Int) {
        let person = Person(number)
        (id, name, email, city) = (number, person.name, person.email, person.city)
        (age, score) = (person.age, person.score)
    }
}

private let members = YapCollection("members", of: Member.self, as: .json)
private let memberCount = 20_000

private let typedWriteCase = Case(
    name: "typed_write", n: memberCount, k: memberCount, unit: "µs/row", targets: [.ratio(atMost: 1.05)]
) {
    let values = (0..<memberCount).map(Member.init)
    return try withMembers(0) { database in
        let connection = try database.newConnection()
        var times: (typed: [Double], plain: [Double]) = ([], [])
        for _ in 0..<9 {
            try connection.readWrite { transaction in
                try transaction[members].removeAll()
                times.typed.append(try passed { for value in values { try transaction[members].save(value) } })
            }
            try connection.readWrite { transaction in
                try transaction[members].removeAll()
                times.plain.append(
                    try passed {
                        for value in values {
                            try transaction.setObject(value, forKey: String(value.id), inCollection: members.name)
                        }
                    })
            }
        }
        return Measurement(times.typed, times.plain, scale: 1e6 / Double(memberCount))
    }
}

private let typedReadCase = Case(
    name: "typed_read", n: memberCount, k: 1, unit: "µs", targets: [.ratio(atMost: 1.05)]
) {
    try withMembers(memberCount) { database in
        let connection = try database.newConnection()
        connection.objectCacheEnabled = false
        let numbers = (0..<memberCount).map { $0 &* 7_919 % memberCount }
        var times: (typed: [Double], plain: [Double]) = ([], [])
        for _ in 0..<9 {
            try connection.read { transaction in
                times.typed.append(try passed { for number in numbers { keep(try transaction[members][number]) } })
                times.plain.append(
                    try passed {
                        for number in numbers {
                            let object = try transaction.object(forKey: String(number), inCollection: members.name)
                            keep(object as? Member)
                        }
                    })
            }
        }
        return Measurement(times.typed, times.plain, scale: 1e6 / Double(memberCount))
    }
}

private let typedViewCase = Case(
    name: "typed_view", n: memberCount, k: memberCount, unit: "µs/row", targets: [.ratio(atMost: 1.05)]
) {
    try withMembers(memberCount) { database in
        let plain = YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in (object as? Member)?.city },
            sorting: .withObjectBlock { _, _, _, _, first, _, _, second in
                let (a, b) = ((first as! Member).score, (second as! Member).score)
                return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
            })
        var times: (typed: [Double], plain: [Double]) = ([], [])
        for _ in 0..<9 {
            times.typed.append(try passed { try database.register(byCity) })
            try database.unregisterExtension(withName: byCity.name)
            times.plain.append(try passed { try database.register(plain, withName: "plain") })
            try database.unregisterExtension(withName: "plain")
        }
        return Measurement(times.typed, times.plain, scale: 1e6 / Double(memberCount))
    }
}

private let byCity = YapList("by city", of: members, groupedBy: \.city, sortedBy: .ascending(\.score))

/// From a commit that moves a row of a list of which the last 50 are shown, to the update of the stream; against the
/// coordinator's change-set and the values of the rows in it.
private let listUpdateCase = Case(
    name: "list_update", n: memberCount, k: 1, unit: "µs", targets: [.ratio(atMost: 1.1)]
) {
    try withMembers(memberCount) { database in
        try database.register(byCity)
        let times = Locked<Result<(stream: [Double], coordinator: [Double]), any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            let result: Result<(stream: [Double], coordinator: [Double]), any Error>
            do { result = .success(try await followBoth(database)) } catch { result = .failure(error) }
            times.withLock { $0 = result }
            isDone.signal()
        }
        isDone.wait()
        guard let (stream, coordinator) = try times.withLock({ $0 })?.get() else { throw RawError("No result.") }
        return Measurement(stream, coordinator, scale: 1e6)
    }
}

private func followBoth(_ database: YapDatabase) async throws -> (stream: [Double], coordinator: [Double]) {
    let writer = try database.newConnection()
    let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
    let mappings = byCity.mappings(.last(50, groups: ["Berlin"]))
    try coordinator.follow(mappings)
    var updates = writer.updates(of: byCity, .last(50, groups: ["Berlin"])).makeAsyncIterator()
    keep(try await updates.next())
    var times: (stream: [Double], coordinator: [Double]) = ([], [])
    for round in 0..<1_000 {
        // One of the rows that are shown moves among them.
        try writer.syncReadWrite { transaction in
            let rows = try transaction[byCity]
            let last = rows.count(in: "Berlin") - 1
            guard var member = try rows.value(at: last - round % 40, in: "Berlin") else { throw RawError("No row.") }
            member.score += 0.001
            try transaction[members].save(member)
        }
        func stream() async throws {
            let start = Time.passed
            keep(try await updates.next())
            times.stream.append(Time.passed - start)
        }
        func changes() throws {
            times.coordinator.append(
                try passed {
                    for case (_, .changes(let changes)) in try coordinator.advance() {
                        try coordinator.connection.read { transaction in
                            let rows = try transaction[byCity]
                            for change in changes.rowChanges {
                                if let path = change.after { keep(try rows.value(at: path, with: mappings)) }
                            }
                        }
                    }
                })
        }
        if round % 2 == 0 {
            try await stream()
            try changes()
        } else {
            try changes()
            try await stream()
        }
    }
    return times
}

/// Runs the body with a database of that many members.
@MainActor private func withMembers<Value>(_ count: Int, _ body: (YapDatabase) throws -> Value) throws -> Value {
    try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "members.sqlite")) { database in
            try database.newConnection().readWrite { try $0[members].save((0..<count).map(Member.init)) }
            return try body(database)
        }
    }
}
