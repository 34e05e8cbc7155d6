import Foundation
import PostgreSQLTesting

/// A listener on the loopback that speaks the protocol as far as the start, and then sends what a test wants.
final class GarbageServer: Sendable {
    let port: Int
    private let listener: Int32

    /// What it sends.
    enum Answer: Sendable {
        /// Bytes instead of the start.
        case atOnce([UInt8])
        /// Bytes as the answer to the first statement.
        case toAStatement([UInt8])
        /// These bytes again and again, without end.
        case endlessly(head: [UInt8], [UInt8])
        /// Nothing.
        case silence
    }

    init(_ answer: Answer) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound, listen(listener, 10) == 0 else { throw POSIXError(.EADDRINUSE) }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { Self.serve(listener, answer) }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    var address: String {
        "host=127.0.0.1 port=\(port) user=x dbname=x sslmode=disable gssencmode=disable target_session_attrs=any"
    }

    private static func serve(_ listener: Int32, _ answer: Answer) {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            Thread.detachNewThread {
                talk(client, answer)
                close(client)
            }
        }
    }

    private static func talk(_ client: Int32, _ answer: Answer) {
        var bytes = [UInt8](repeating: 0, count: 10_000)
        guard read(client, &bytes, bytes.count) > 0 else { return }
        if case .silence = answer { return wait(client) }
        if case .atOnce(let garbage) = answer {
            _ = sendAll(garbage, to: client)
            return wait(client)
        }
        // AuthenticationOk, then ReadyForQuery.
        guard sendAll(message("R", [0, 0, 0, 0]) + message("Z", [73]), to: client),
            read(client, &bytes, bytes.count) > 0
        else { return }
        switch answer {
        case .toAStatement(let garbage): _ = sendAll(garbage, to: client)
        case .endlessly(let head, let block):
            guard sendAll(head, to: client) else { return }
            while sendAll(block, to: client) {}
        case .silence, .atOnce: break
        }
        wait(client)
    }

    /// A type, the length with itself, the content.
    static func message(_ type: Character, _ content: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = UInt32(truncatingIfNeeded: length ?? content.count + 4)
        return [type.asciiValue!] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + content
    }

    private static func wait(_ client: Int32) {
        var bytes = [UInt8](repeating: 0, count: 10_000)
        while read(client, &bytes, bytes.count) > 0 {}
    }
}
