import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// A standby takes over from a primary that is killed.
@Suite(.needsPostgreSQL, .serialized) struct FailoverTests {
    private static let settings = PostgreSQLServer.survivesKills + ["wal_level=replica", "hot_standby=on"]
    private static let limits = AnswerLimits(silence: .seconds(60))

    /// A scene on a primary with a standby, and two hosts that know both.
    private func withStandby(
        isSynchronous: Bool = false, _ body: (Scene, PostgreSQLServer, [YapDatabase]) throws -> Void
    ) throws {
        let primary = try PostgreSQLServer(settings: Self.settings)
        defer { primary.stop() }
        try withScene(on: primary) { scene in
            let standby = try PostgreSQLServer(standbyOf: primary, name: "standby")
            defer { standby.stop() }
            if isSynchronous { try awaitSynchronous(scene) }
            let both = "host=\(primary.folder.path),\(standby.folder.path) user=postgres dbname=postgres"
            try body(scene, standby, ["a", "b"].map { name in try scene.host(name) { $0.address = both } })
        }
    }

    /// The primary waits for the standby at each commit: nothing that was acknowledged is lost.
    @Test func toASynchronousStandbyNothingIsLost() throws {
        try withStandby(isSynchronous: true) { scene, standby, hosts in
            let ledger = Increments(hosts[0])
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) { ledger.run(40) }
            try waitUntil("some are done") { ledger.count > 10 }
            try scene.server.kill()
            try standby.promote()
            try group.wait(for: "the increments")
            let rest = try Scene(standby, scene.folder, space: scene.space)
            try ledger.check(rest, hosts)
        }
    }

    /// The standby lacked the last commits: it is found out, and the hosts keep what they have until one of them gives it back.
    @Test func toAStandbyThatLackedCommitsTheHostsGiveThemBack() throws {
        try withStandby { scene, standby, hosts in
            try hosts[0].set("kept", "k")
            try halt(standby, onceItHasAllOf: scene, hosts)
            try hosts[0].set("lost", "l")
            try scene.expectEqual(hosts)
            try scene.server.kill()
            try standby.start()
            try standby.promote()
            let rest = try Scene(standby, scene.folder, space: scene.space)
            for host in hosts {
                let error = #expect(throws: YapDatabaseServerError.self) { try host.set("after", "m") }
                #expect(error?.code == .wouldLoseRows)
                try host.waitForRefusal(containing: "lose 1 row that")
            }
            #expect(try hosts[0].restoreSpace(address: standby.address()).given == 1)
            for host in hosts { host.server?.refresh() }
            try hosts[1].set("after", "m")
            try rest.expectEqual(hosts)
            #expect(try hosts[0].string("k") == "kept" && hosts[1].string("l") == "lost")
        }
    }

    /// Mutations are made while the standby takes over: none is lost, and none is stored twice.
    @Test func mutationsThatAreMadeMeanwhileAreStoredOnce() throws {
        try withStandby(isSynchronous: true) { scene, standby, hosts in
            try hosts[0].set("0", "n")
            try scene.expectEqual(hosts)
            let made = Atomic(0)
            let group = DispatchGroup()
            for host in hosts {
                DispatchQueue.global().async(group: group) {
                    do {
                        for _ in 0..<60 {
                            try host.make(Increment(key: "n"))
                            made.add(1, ordering: .releasing)
                        }
                    } catch { Issue.record(error) }
                }
            }
            try waitUntil("some are done") { made.load(ordering: .acquiring) > 20 }
            try scene.server.kill()
            try standby.promote()
            try group.wait(for: "the mutations")
            for host in hosts { host.server?.refresh() }
            for host in hosts { try host.waitUntilSent() }
            try Scene(standby, scene.folder, space: scene.space).expectEqual(hosts)
            for host in hosts { #expect(try host.string("n") == "120") }
        }
    }

    /// What the standby lacked of accepted mutations is given back from a file; what was pending waits until then, and is sent once.
    @Test func pendingMutationsWaitUntilAStandbyHasWhatItLacked() throws {
        try withStandby { scene, standby, hosts in
            try hosts[0].set("0", "n")
            try halt(standby, onceItHasAllOf: scene, hosts)
            try hosts[0].make(Increment(key: "n"))
            try hosts[0].waitUntilSent()
            try scene.expectEqual(hosts)
            try scene.server.kill()
            try hosts[0].make(Increment(key: "n"))
            try standby.start()
            try standby.promote()
            let rest = try Scene(standby, scene.folder, space: scene.space)
            for host in hosts { try host.waitForRefusal(containing: "the content of 1 row") }
            #expect(try hosts[0].string("n") == "2" && hosts[0].pending.count == 1)
            #expect(try hosts[0].restoreSpace(address: standby.address(), replacing: true).replaced == 1)
            for host in hosts { host.server?.refresh() }
            for host in hosts { try host.waitUntilSent() }
            try rest.expectEqual(hosts)
            for host in hosts { #expect(try host.string("n") == "2") }
        }
    }

    /// The primary waits for the standby at each commit.
    private func awaitSynchronous(_ scene: Scene) throws {
        let sql = try scene.sql()
        try sql.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", limits: Self.limits)
        try sql.execute("SELECT pg_reload_conf()", limits: Self.limits)
        try waitUntil("the standby is synchronous") {
            var isSynchronous = false
            try sql.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'", limits: Self.limits) { _ in
                isSynchronous = true
            }
            return isSynchronous
        }
    }

    private func halt(_ standby: PostgreSQLServer, onceItHasAllOf scene: Scene, _ hosts: [YapDatabase]) throws {
        try scene.expectEqual(hosts)
        let commit = try scene.truth().number
        try waitUntil("the standby has it") {
            var number = 0
            try PostgreSQLConnection(
                to: ServerAddress(standby.address() + " target_session_attrs=any").patient,
                deadline: .now + .seconds(60),
                wakeUp: WakeUp()
            ).query("SELECT number FROM yap.space WHERE name = $1", [.text(scene.space)], limits: Self.limits) {
                number = try $0.int(0)
            }
            return number >= commit
        }
        standby.halt()
    }
}
