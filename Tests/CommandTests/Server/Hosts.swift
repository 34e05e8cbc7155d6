import Foundation
import PostgreSQLTesting
import TerminalTesting

/// Hosts that reach a server over networks of their own: a network namespace each, with a cable to the server's host.
/// Making them requires the superuser.
final class Hosts {
    static let isPossible: Bool = {
        guard getuid() == 0 else { return false }
        let name = "yap-probe-\(getpid())"
        defer { try? ip("netns", "del", name) }
        return (try? ip("netns", "add", name)) != nil
            && (try? ip("link", "add", "yapp0", "type", "veth", "peer", "name", "yapp1", "netns", name)) != nil
    }()

    let server: PostgreSQLServer
    private let names: [String]

    /// - Parameter names: at most nine letters each.
    init(_ names: [String]) throws {
        self.names = names
        do {
            try Self.lay(names)
            let addresses = names.indices.map { Self.address($0, 1) }.joined(separator: ",")
            server = try PostgreSQLServer(settings: ["listen_addresses=\(addresses)"])
        } catch {
            Self.remove(names)
            throw error
        }
        try server.shell("echo 'host all all 10.0.0.0/8 trust' >>'\(server.folder.path)/data/pg_hba.conf'")
        server.halt()
        try server.start()
    }

    deinit {
        Self.remove(names)
        server.stop()
    }

    /// Makes the networks.
    private static func lay(_ names: [String]) throws {
        for (index, name) in names.enumerated() {
            try ip("netns", "add", space(name))
            try ip(
                "link", "add", cable(name), "type", "veth", "peer", "name", "eth0", "netns", space(name))
            try ip("address", "add", "\(address(index, 1))/30", "dev", cable(name))
            try ip("link", "set", cable(name), "up")
            try ip("-n", space(name), "address", "add", "\(address(index, 2))/30", "dev", "eth0")
            try ip("-n", space(name), "link", "set", "eth0", "up")
        }
    }

    private static func remove(_ names: [String]) { for name in names { try? ip("netns", "del", space(name)) } }

    /// What stands before a command that runs on a host.
    func command(_ name: String) -> String { "ip netns exec \(Self.space(name))" }

    /// The server's address as a host reaches it.
    func serverAddress(from name: String) -> String {
        let index = names.firstIndex(of: name) ?? 0
        return "host=\(Self.address(index, 1)) user=postgres dbname=postgres sslmode=disable"
    }

    /// Pulls or plugs in the cable of a host. Nothing tells the connections.
    func setConnected(_ isConnected: Bool, _ name: String) throws {
        try Self.ip("-n", Self.space(name), "link", "set", "eth0", isConnected ? "up" : "down")
    }

    private static func space(_ name: String) -> String { "yap-\(getpid())-\(name)" }
    private static func cable(_ name: String) -> String { "y\(getpid() % 10_000)\(name)" }
    private static func address(_ index: Int, _ last: Int) -> String {
        "10.77.\(16 + Int(getpid()) % 200).\(index * 4 + last)"
    }

    private static func ip(_ arguments: String...) throws {
        let text = try output(of: "/usr/bin/env", ["ip"] + arguments)
        if !text.isEmpty { throw HostsFailure(description: "ip \(arguments.joined(separator: " ")): \(text)") }
    }
}

private struct HostsFailure: Error, CustomStringConvertible {
    let description: String
}
