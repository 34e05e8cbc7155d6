import Foundation
import PostgreSQLBridge
import YapDatabaseServer

/// Hosts that follow one space, with a server on this machine whose commits wait for the disk.
let serverCases: [Case] = [
    Case(
        name: "server_commit_to_screen", n: 0, k: 1, unit: "ms",
        targets: [.value(atMost: 20, "ms"), .ratio(atMost: 2)],
        isAlone: true
    ) { try withServerScene(measureCommitToScreen) },
    Case(
        name: "server_commits", n: 0, k: 1, unit: "µs", targets: [.value(atMost: 2_000, "µs"), .ratio(atMost: 2)],
        isAlone: true
    ) { try withServerScene { try measureCommits($0, spaces: 1) } },
    Case(name: "server_commits_8_spaces", n: 0, k: 1, unit: "µs", isAlone: true) {
        try withServerScene { try measureCommits($0, spaces: 8) }
    },
    Case(
        name: "server_catch_up/rows", n: 100_000, k: 100_000, unit: "µs", targets: [.value(atMost: 20, "µs")],
        isAlone: true
    ) { try withServerScene { try measureCatchUp($0, withView: false) } },
    Case(
        name: "server_catch_up/with_view", n: 100_000, k: 100_000, unit: "µs", targets: [.value(atMost: 50, "µs")],
        isAlone: true
    ) { try withServerScene { try measureCatchUp($0, withView: true) } },
    Case(name: "server_hosts/1", n: 0, k: 1, unit: "ms", isAlone: true) {
        try withServerScene { try measureHosts($0, count: 2) }
    },
    Case(name: "server_hosts/10", n: 0, k: 1, unit: "ms", isAlone: true) {
        try withServerScene { try measureHosts($0, count: 11) }
    },
    Case(
        name: "server_100_hosts", n: 0, k: 1, unit: "ms", targets: [.value(atMost: 150, "ms")], isAlone: true
    ) { try withServerScene { try measureHosts($0, count: 100) } },
    Case(
        name: "server_reads_while_following", n: 1_000, k: 1, unit: "µs", targets: [.ratio(atMost: 1.05)], isAlone: true
    ) { try withServerScene(measureReads) },
    Case(name: "server_rules", n: 0, k: 1, unit: "µs", isAlone: true) { try withServerScene(measureRules) },
]

private struct Note: Codable, Sendable, Identifiable {
    var id: Int
    var author = "alice"
    var members = "alice&bob"
    var text = "The text of a note, which is of the usual length."
}

/// A role that is no owner commits a row of a collection with a rule, which the server reads and checks; beside one of a collection without.
private func measureRules(_ scene: ServerScene) throws -> Measurement {
    let admin = try YapDatabaseServerAdministration(address: scene.server.address())
    try scene.sql().execute("CREATE ROLE alice LOGIN", limits: ServerScene.limits)
    try admin.grant(role: "alice", space: scene.space, canWrite: true)
    try admin.setName("alice", ofRole: "alice", space: scene.space)
    var rule = YapDatabaseServerRule(collection: "ruled")
    (rule.owner, rule.readers) = (.field("author"), .field("members"))
    _ = try admin.setRules([rule], space: scene.space)
    let host = try scene.host("alice", user: "alice")
    host.waitUntilLive()
    let connection = try host.newConnection()
    func time(_ collection: String, _ number: Int) throws -> Double {
        let notes = YapCollection(collection, of: Note.self)
        return try passed { try connection.readWrite { try $0[notes].save(Note(id: number)) } }
    }
    var times: (ruled: [Double], plain: [Double]) = ([], [])
    for number in 0..<500 {
        times.ruled.append(try time("ruled", number))
        times.plain.append(try time("plain", number))
    }
    return Measurement(times.ruled, times.plain, scale: 1e6)
}

@MainActor func withServerScene(_ body: (ServerScene) throws -> Measurement) throws -> Measurement {
    try withScratchFolder { folder in
        let scene = try ServerScene(folder)
        let result = Result { try body(scene) }
        try scene.end()
        return try result.get()
    }
}

extension [Double] {
    fileprivate var p95: Double { isEmpty ? 0 : sorted()[Swift.min(count - 1, count * 95 / 100)] }
}

extension YapDatabase {
    /// Registers a view of all rows: a group a collection, sorted by key.
    fileprivate func registerOrder() throws {
        try register(
            YapDatabaseAutoView(
                grouping: .withKeyBlock { _, collection, _ in collection },
                sorting: .withKeyBlock { _, _, _, key1, _, key2 in
                    key1 == key2 ? .orderedSame : key1 < key2 ? .orderedAscending : .orderedDescending
                }, versionTag: "1"), withName: "order")
    }
}

/// From the call of one host to the change-set and the row in the other one: the 95th percentile. By hand: from BEGIN
/// of one connection to the row in another one that listens.
private func measureCommitToScreen(_ scene: ServerScene) throws -> Measurement {
    let (a, b) = (try scene.host("a"), try scene.host("b"))
    for one in [a, b] {
        try one.registerOrder()
        one.waitUntilLive()
    }
    let list = YapDatabaseViewMappings(groups: ["messages"], view: "order")
    let coordinator = try YapDatabaseViewCoordinator(connection: b.newConnection())
    try coordinator.follow(list)
    let arrivals = DispatchSemaphore(value: 0)
    let listener = Task.detached { for await _ in b.commits { arrivals.signal() } }
    defer { listener.cancel() }
    let hands = (try scene.sql(), try scene.sql())
    try hands.1.execute("LISTEN hand", limits: ServerScene.limits)
    var times: (ours: [Double], hand: [Double]) = ([], [])
    for number in 0..<300 {
        let key = "key\(1_000 + number)"
        times.ours.append(
            try passed {
                try a.insertMessage(key)
                var isShown = false
                while !isShown {
                    arrivals.wait()
                    for (_, outcome) in try coordinator.advance() {
                        if case .changes = outcome { isShown = true }
                    }
                }
                _ = try coordinator.connection.read { try $0.object(forKey: key, inCollection: "messages") }
            })
        times.hand.append(
            try passed {
                try ServerScene.insertByHand(key, hands.0)
                let last = try hands.1.notifications(until: .now + .seconds(60)).last.flatMap { Int64($0) } ?? 0
                try hands.1.query(
                    "SELECT object FROM hand_row WHERE changed >= $1", [.int(last)], limits: ServerScene.limits)
            })
    }
    return Measurement(value: times.ours.p95 * 1e3, reference: times.hand.p95 * 1e3)
}

/// Eight clients that append to one space, or each to its own, each with a file of its own: the time of one commit, over all of
/// them. By hand there is one space.
private func measureCommits(_ scene: ServerScene, spaces: Int) throws -> Measurement {
    let (clients, commits) = (8, 100)
    let names = try (0..<spaces).map { try scene.space($0) }
    let hosts = try (0..<clients).map { try scene.host("host\($0)", mode: .rows, in: names[$0 % spaces]) }
    for (index, host) in hosts.enumerated() {
        host.waitUntilLive()
        try host.insertMessage("first\(index)")
    }
    let hands = try (0..<clients).map { _ in Hand(connection: try scene.sql()) }
    let failure = Locked<(any Error)?>(nil)
    func concurrently(_ body: @escaping @Sendable (Int) throws -> Void) -> Double {
        passed {
            DispatchQueue.concurrentPerform(iterations: clients) { index in
                do { try body(index) } catch { failure.set(error) }
            }
        }
    }
    let ours = concurrently { index in
        for number in 0..<commits { try hosts[index].insertMessage("\(index)-\(number)") }
    }
    let byHand = concurrently { index in
        for number in 0..<commits { try ServerScene.insertByHand("\(index)-\(number)", hands[index].connection) }
    }
    if let error = failure.value { throw error }
    let scale = 1e6 / Double(clients * commits)
    guard spaces == 1 else { return Measurement(value: ours * scale) }
    return Measurement(value: ours * scale, reference: byHand * scale)
}

/// A connection that one thread uses.
private struct Hand: @unchecked Sendable {
    // @unchecked: each is used by one of the threads.
    let connection: PostgreSQLConnection
}

/// A new host gets a space of 100,000 rows: microseconds a row, from opening to the commit of all rows.
private func measureCatchUp(_ scene: ServerScene, withView: Bool) throws -> Measurement {
    let a = try scene.host("a", .normal)
    for part in 0..<10 {
        try a.newConnection().readWrite { transaction in
            for number in 0..<10_000 {
                try transaction.setObject(
                    ServerScene.message, forKey: "key\(part * 10_000 + number)", inCollection: "messages")
            }
        }
    }
    let number = a.server?.number ?? 0
    var times: [Double] = []
    for round in 0..<3 {
        times.append(
            try passed {
                let b = try scene.host("b\(round)", .normal)
                if withView { try b.registerOrder() }
                b.waitFor(number)
            })
    }
    return Measurement(value: times.median * 1e6 / 100_000)
}

/// The time until the last of many hosts has a commit: the 95th percentile. Their disks are one, so they do not wait
/// for it.
private func measureHosts(_ scene: ServerScene, count: Int) throws -> Measurement {
    let hosts = try (0..<count).map { try scene.host("host\($0)", .normal) }
    for host in hosts { host.waitUntilLive() }
    var times: [Double] = []
    for round in 0..<40 {
        times.append(
            try passed {
                try hosts[0].insertMessage("\(round)")
                let number = hosts[0].server?.number ?? 0
                for host in hosts { host.waitFor(number) }
            })
    }
    return Measurement(value: times.p95 * 1e3)
}

/// Reads of a file that follows, against one that does not: no one writes meanwhile.
private func measureReads(_ scene: ServerScene) throws -> Measurement {
    let followed = try scene.host("a", .normal)
    let alone = try YapDatabase(url: followed.databaseURL.deletingLastPathComponent().appending(path: "alone.sqlite"))
    defer { try? alone.close() }
    let connections = try [followed, alone].map { database in
        let connection = try database.newConnection()
        try connection.readWrite { transaction in
            for number in 0..<1_000 {
                try transaction.setObject(ServerScene.message, forKey: "\(number)", inCollection: "messages")
            }
        }
        return connection
    }
    followed.waitUntilLive()
    var times: [[Double]] = [[], []]
    for _ in 0..<200 {
        for (index, connection) in connections.enumerated() {
            times[index].append(
                try used {
                    for number in 0..<100 {
                        keep(try connection.read { try $0.object(forKey: "\(number)", inCollection: "messages") })
                    }
                })
        }
    }
    return Measurement(times[0], times[1], scale: 1e4)
}
