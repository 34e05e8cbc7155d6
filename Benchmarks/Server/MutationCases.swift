import Foundation
import YapDatabaseServer

/// What is written while the server is away.
let mutationCases: [Case] = [
    Case(name: "mutate_offline", n: 0, k: 1, unit: "µs", targets: [.ratio(atMost: 1.5)], isAlone: true) {
        try withServerScene(measureMutate)
    },
    Case(name: "rebase", n: 1_000, k: 1_100, unit: "ms", targets: [.ratio(atMost: 2)], isAlone: true) {
        try withServerScene(measureRebase)
    },
    Case(
        name: "pending_memory", n: 100_000, k: 1, unit: "MB", targets: [.value(atMost: 100, "MB")], isExtra: true
    ) { Measurement(value: try weeks.get().megabytes) },
    Case(name: "pending_send", n: 100_000, k: 1, unit: "s", targets: [], isExtra: true) {
        Measurement(value: try weeks.get().seconds)
    },
]

/// Both cases are of it.
@MainActor private let weeks = Result { try measureWeeks() }

/// A file with 100,000 pending mutations, as many as it takes, meets its server, which has 1,000 rows of others: until everything is sent. The
/// memory is what the process has at most, beyond what it had before: so the cases run only if they are named.
@MainActor private func measureWeeks() throws -> (seconds: Double, megabytes: Double) {
    var figures = (seconds: 0.0, megabytes: 0.0)
    _ = try withServerScene { scene in
        let others = try scene.host("others")
        others.waitUntilLive()
        let file = try scene.awayFile("weeks")
        let connection = try file.newConnection()
        for number in 0..<100_000 { try connection.mutate(Say(id: "own \(number)")) }
        try file.close()
        try others.newConnection().readWrite { transaction in
            for number in 0..<1_000 { try transaction[messages].save(Message(id: "other \(number)")) }
        }
        let before = try peakMegabytes()
        figures.seconds = try passed {
            let host = try scene.host("weeks", .normal)
            host.registerMutations(Say.self)
            let reader = try host.newConnection()
            // The pace at which it is looked for.
            while try reader.read({ try !$0.pendingMutations(limit: 1).isEmpty }) { usleep(20_000) }
        }
        figures.megabytes = try peakMegabytes() - before
        return Measurement(value: figures.seconds)
    }
    return figures
}

private struct Message: Codable, Sendable, Identifiable {
    var id: String
    var text = "The text of a message, which is of the usual length for one."
}

private struct Say: YapMutation {
    static let mutationName = "say"
    var id: String

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        try transaction[messages].save(Message(id: id))
    }
}

/// An outbox as a program would keep it.
private struct Waiting: Codable, Sendable, Identifiable {
    var id: String
    var number: Int
    var mutation: Say
    var date = Date()
    var state = "pending"
}

private let messages = YapCollection("messages", of: Message.self)
private let waiting = YapCollection("waiting", of: Waiting.self, as: .json)

/// One mutation in a file whose server is away, beside a plain commit of the same row and of a row that says what is to be sent, in a file
/// that follows nothing. Both have a list.
private func measureMutate(_ scene: ServerScene) throws -> Measurement {
    let away = try scene.awayFile("a")
    let plain = try scene.plainFile("plain")
    defer { for one in [away, plain] { try? one.close() } }
    for one in [away, plain] { try one.register(YapList("list", of: messages, sortedBy: .ascending(\.id))) }
    let connections = (try away.newConnection(), try plain.newConnection())
    var times: (ours: [Double], hand: [Double]) = ([], [])
    for number in 0..<3_000 {
        let id = "message \(number * 7_919 % 3_000)"
        times.ours.append(try passed { try connections.0.mutate(Say(id: id)) })
        times.hand.append(
            try passed {
                try connections.1.readWrite { transaction in
                    try Say(id: id).apply(transaction)
                    try transaction[waiting].save(Waiting(id: "\(number)", number: number, mutation: Say(id: id)))
                }
            })
    }
    return Measurement(times.ours, times.hand, scale: 1e6)
}

/// A file with 100 pending mutations meets its server, which has 1,000 rows of others for it: until they are in the file. Beside a file that
/// has none and makes the same changes in one transaction afterwards.
private func measureRebase(_ scene: ServerScene) throws -> Measurement {
    let others = try scene.host("others")
    others.waitUntilLive()
    var times: (ours: [Double], hand: [Double]) = ([], [])
    for round in 0..<10 {
        for name in ["pending\(round)", "plain\(round)"] {
            let file = try scene.awayFile(name)
            if name.hasPrefix("pending") {
                let connection = try file.newConnection()
                for number in 0..<100 { try connection.mutate(Say(id: "own \(round) \(number)")) }
            }
            try file.close()
        }
        try others.newConnection().readWrite { transaction in
            for number in 0..<1_000 { try transaction[messages].save(Message(id: "other \(round) \(number)")) }
        }
        let number = others.server?.number ?? 0
        times.ours.append(try passed { try scene.meet("pending\(round)", number, own: 0) })
        times.hand.append(try passed { try scene.meet("plain\(round)", number, own: 100) })
    }
    return Measurement(times.ours, times.hand, scale: 1e3)
}

extension ServerScene {
    /// A file that has met its server, opened without it.
    fileprivate func awayFile(_ name: String) throws -> YapDatabase {
        let host = try host(name, .normal)
        host.waitUntilLive()
        try host.close()
        return try plainFile(name)
    }

    fileprivate func plainFile(_ name: String) throws -> YapDatabase {
        var options = YapDatabaseOptions()
        options.pragmaSynchronous = .normal
        options.postsNotifications = false
        return try YapDatabase(url: file(name), options: options)
    }

    /// Opens a file until it has the rows of the server, and makes changes of its own on top.
    fileprivate func meet(_ name: String, _ number: Int, own: Int) throws {
        let host = try host(name, .normal)
        host.registerMutations(Say.self)
        // The pace at which it is looked for.
        while (host.server?.number ?? 0) < number { usleep(200) }
        guard own > 0 else { return }
        try host.newConnection().writePastAuthority { transaction in
            for number in 0..<own { try Say(id: "own \(name) \(number)").apply(transaction) }
        }
    }
}
