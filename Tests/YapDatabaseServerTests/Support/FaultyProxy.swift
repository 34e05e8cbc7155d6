import FileEngine
import Foundation
import PostgreSQLTesting
import Synchronization
import TestSupport

/// A proxy between clients and a server that does one thing wrong with one message of a client: the `index`-th after
/// ``arm(_:at:)``.
final class FaultyProxy: @unchecked Sendable {
    // @unchecked: everything that changes is in `plan`.

    enum Fault: CaseIterable {
        /// The connection ends before the message is sent on.
        case cutBefore
        /// The message arrives, and its answer does not.
        case cutAfter
        /// The message never arrives, and nothing tells.
        case swallow
        /// The message arrives after a while.
        case delay
        /// The message arrives twice.
        case `repeat`
    }

    let folder: URL
    private let target: String
    private let listener: Int32
    private let plan = Locked<(fault: Fault, rest: Int)?>(nil)
    private let done = Atomic(0)
    private let turnCount = Atomic(0)
    private let isSilent = Atomic(false)
    private let clients = Locked<(isCut: Bool, sockets: Set<Int32>)>((false, []))
    /// Bytes a second that clients receive; 0 for as many as come.
    private let rate = Atomic(0)

    init(to target: String, in folder: URL) throws {
        self.folder = folder
        self.target = target
        listener = try Self.socket()
        var address = Self.address(folder.path + "/.s.PGSQL.5432")
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        guard isBound == 0, listen(listener, 100) == 0 else { throw POSIXError(.EADDRINUSE) }
        Thread.detachNewThread { [self] in accept() }
    }

    var address: String { "host=\(folder.path) user=postgres dbname=postgres" }

    func arm(_ fault: Fault, at index: Int) { plan.withLock { $0 = (fault, index) } }
    func disarm() { plan.withLock { $0 = nil } }

    /// Faults that happened.
    var faults: Int { done.load(ordering: .acquiring) }

    /// How often a client spoke after the server had answered: the round trips so far.
    var turns: Int { turnCount.load(ordering: .acquiring) }

    /// Lets clients receive only so many bytes a second; 0 for as many as come.
    func setRate(_ bytes: Int) { rate.store(bytes, ordering: .releasing) }

    /// Ends all connections, and lets none begin, until it is called again with false.
    func setCut(_ isCut: Bool) {
        clients.withLock { state in
            state.isCut = isCut
            for client in state.sockets where isCut { shutdown(client, Int32(SHUT_RDWR)) }
        }
    }

    /// Has no message of a client arrive, which nothing tells, until it is called again with false.
    func setSilent(_ isSilent: Bool) { self.isSilent.store(isSilent, ordering: .releasing) }

    /// Ends the proxy: no more connections.
    func close() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            Thread.detachNewThread { [self] in serve(client) }
        }
        _ = Glibc.close(listener)
    }

    private func serve(_ client: Int32) {
        let mayBegin = clients.withLock { state in
            if !state.isCut { state.sockets.insert(client) }
            return !state.isCut
        }
        // Closed with the lock held: afterwards the number may be another connection's.
        defer {
            clients.withLock { state in
                state.sockets.remove(client)
                _ = Glibc.close(client)
            }
        }
        guard mayBegin, let server = try? Self.socket() else { return }
        defer { _ = Glibc.close(server) }
        var address = Self.address(target)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(server, $0, size) }
        }
        guard isConnected == 0 else { return }
        var pending: [UInt8] = []
        var isStarted = false
        var dropsAnswers = false
        var hasAnswered = true
        while true {
            var waited = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waited, 2, -1) >= 0 else { return }
            if waited[1].revents != 0 {
                guard let bytes = Self.receive(server) else { return }
                if dropsAnswers { return }
                hasAnswered = true
                guard forward(bytes, to: client) else { return }
            }
            guard waited[0].revents != 0 else { continue }
            guard let bytes = Self.receive(client) else { return }
            if hasAnswered { turnCount.add(1, ordering: .acquiringAndReleasing) }
            hasAnswered = false
            pending += bytes
            while let message = Self.message(&pending, isStarted) {
                isStarted = true
                if isSilent.load(ordering: .acquiring) { continue }
                let fault = plan.withLock { plan -> Fault? in
                    guard let (fault, rest) = plan else { return nil }
                    plan = rest == 0 ? nil : (fault, rest - 1)
                    return rest == 0 ? fault : nil
                }
                if fault != nil { done.add(1, ordering: .acquiringAndReleasing) }
                switch fault {
                case .cutBefore: return
                case .cutAfter: dropsAnswers = true
                case .swallow: continue
                // Time is the subject here and below, in the rate.
                case .delay: usleep(50_000)
                case .repeat: guard sendAll(message, to: server) else { return }
                case nil: break
                }
                guard sendAll(message, to: server) else { return }
            }
        }
    }

    private func forward(_ bytes: [UInt8], to client: Int32) -> Bool {
        let rate = rate.load(ordering: .acquiring)
        guard rate > 0 else { return sendAll(bytes, to: client) }
        let step = max(rate / 20, 1)
        for start in stride(from: 0, to: bytes.count, by: step) {
            guard sendAll(Array(bytes[start..<min(start + step, bytes.count)]), to: client) else { return false }
            usleep(50_000)
        }
        return true
    }

    /// The next whole message: a type, then a length that counts itself; the first one has no type.
    private static func message(_ bytes: inout [UInt8], _ isStarted: Bool) -> [UInt8]? {
        let head = isStarted ? 1 : 0
        guard bytes.count >= head + 4 else { return nil }
        let length = bytes[head..<head + 4].reduce(0) { $0 << 8 | Int($1) } + head
        guard bytes.count >= length else { return nil }
        defer { bytes.removeFirst(length) }
        return Array(bytes.prefix(length))
    }

    private static func receive(_ socket: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(socket, &bytes, bytes.count)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    private static func socket() throws -> Int32 {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw POSIXError(.EMFILE) }
        return socket
    }

    private static func address(_ path: String) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return address
    }
}
