import Foundation
import Synchronization
import TestSupport

/// Hosts that reach a server over networks of their own: a network namespace each, with a cable to the server's host.
/// Making them requires the superuser.
public final class Hosts: Sendable {
    public static let isPossible: Bool = {
        guard getuid() == 0 else { return false }
        let name = "yap-probe-\(getpid())"
        // Other processes of the run may probe at the same time. Names of cables have 15 bytes at most.
        let cable = "yp\(getpid())"
        defer { try? ip("netns", "del", name) }
        return (try? ip("netns", "add", name)) != nil
            && (try? ip("link", "add", cable, "type", "veth", "peer", "name", "yapp", "netns", name)) != nil
    }()

    public let server: PostgreSQLServer
    private let names: [String]
    /// Tells these networks from others of the process.
    private let number: Int
    private static let count = Atomic(0)

    /// - Parameter names: at most nine letters each, and no other networks of the process have them.
    public init(_ names: [String]) throws {
        self.names = names
        let number = Self.count.add(1, ordering: .relaxed).oldValue
        self.number = number
        Self.leftOver
        do {
            try Self.lay(names, number)
            let addresses = names.indices.map { Self.address(number, $0, 1) }.joined(separator: ",")
            server = try PostgreSQLServer(
                settings: PostgreSQLServer.survivesKills + ["listen_addresses=\(addresses)"])
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
    private static func lay(_ names: [String], _ number: Int) throws {
        for (index, name) in names.enumerated() {
            try ip("netns", "add", space(name))
            try ip(
                "link", "add", cable(name), "type", "veth", "peer", "name", "eth0", "netns", space(name))
            try ip("address", "add", "\(address(number, index, 1))/30", "dev", cable(name))
            try ip("link", "set", cable(name), "up")
            try ip("-n", space(name), "address", "add", "\(address(number, index, 2))/30", "dev", "eth0")
            try ip("-n", space(name), "link", "set", "eth0", "up")
        }
    }

    /// Removes the networks of test processes that were killed: one of them may have the addresses of this process.
    private static let leftOver: Void = {
        guard let (list, _) = try? TestSupport.run("/usr/bin/env", ["ip", "netns", "list"]) else { return }
        for line in list.split(separator: "\n") {
            guard let space = line.split(separator: " ").first, space.hasPrefix("yap-"),
                let process = space.dropFirst(4).split(separator: "-").first.flatMap({ Int32($0) }),
                kill(process, 0) == -1, errno == ESRCH
            else { continue }
            try? ip("netns", "del", String(space))
        }
    }()

    private static func remove(_ names: [String]) { for name in names { try? ip("netns", "del", space(name)) } }

    /// What stands before a command that runs on a host.
    public func command(_ name: String) -> String { "ip netns exec \(Self.space(name))" }

    /// The server's address as a host reaches it.
    public func serverAddress(from name: String) -> String {
        let index = names.firstIndex(of: name) ?? 0
        return "host=\(Self.address(number, index, 1)) user=postgres dbname=postgres sslmode=disable"
    }

    /// Pulls or plugs in the cable of a host. Nothing tells the connections.
    public func setConnected(_ isConnected: Bool, _ name: String) throws {
        try Self.ip("-n", Self.space(name), "link", "set", "eth0", isConnected ? "up" : "down")
    }

    /// Runs the body on a thread that is on a host: the connections that it makes, and those of the threads that it
    /// starts, go over that host's cable.
    public func run(on name: String, _ body: @escaping @Sendable () throws -> Void) throws {
        let result = Mutex<Result<Void, any Error>?>(nil)
        let end = DispatchSemaphore(value: 0)
        let path = "/run/netns/\(Self.space(name))"
        Thread.detachNewThread {
            let outcome = Result {
                try Self.enter(path)
                try body()
            }
            result.withLock { $0 = outcome }
            end.signal()
        }
        try end.wait(for: "the work on \(name)")
        try result.withLock { $0 }?.get()
    }

    private static func enter(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        // Swift's Glibc module omits it.
        typealias EnterNamespace = @convention(c) (Int32, Int32) -> Int32
        guard descriptor >= 0, let symbol = dlsym(nil, "setns"),
            unsafeBitCast(symbol, to: EnterNamespace.self)(descriptor, 0) == 0
        else { throw HostsFailure(description: "\(path) cannot be entered: \(String(cString: strerror(errno)))") }
    }

    private static func space(_ name: String) -> String { "yap-\(getpid())-\(name)" }
    private static func cable(_ name: String) -> String { "y\(getpid() % 10_000)\(name)" }
    private static func address(_ number: Int, _ index: Int, _ last: Int) -> String {
        "10.77.\(16 + Int(getpid()) % 200).\((number * 4 + index) % 64 * 4 + last)"
    }

    private static func ip(_ arguments: String...) throws {
        let (text, code) = try TestSupport.run("/usr/bin/env", ["ip"] + arguments)
        guard text.isEmpty, code == 0 else {
            throw HostsFailure(description: "ip \(arguments.joined(separator: " ")): \(text)")
        }
    }
}

private struct HostsFailure: Error, CustomStringConvertible {
    let description: String
}
