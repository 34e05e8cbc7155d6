import Foundation
import PostgreSQLTesting
import TestTraits
import Testing

@testable import PostgreSQLBridge

/// A server with a certificate, reached over the network: encrypted, and only if it shows who it is.
@Suite(.needsPostgreSQL, .enabled(if: hasOpenSSL, "openssl makes the certificate"))
struct EncryptionTests {
    @Test func onlyAServerThatShowsWhoItIsGetsAWord() throws {
        // An address of the loopback that no other server has.
        let host = "127.\(64 + Int(getpid()) / 200 % 100).\(1 + Int(getpid()) % 200).7"
        let server = try PostgreSQLServer(settings: ["listen_addresses=\(host)"])
        defer { server.stop() }
        let folder = server.folder.path
        try server.shell(
            """
            cd '\(folder)/data' && openssl req -new -x509 -days 2 -nodes -newkey rsa:2048 -keyout server.key -out server.crt \
            -subj '/CN=\(host)' -addext 'subjectAltName=IP:\(host)' 2>../openssl.log && chmod 600 server.key && \
            cp server.crt .. && echo 'ssl = on' >>postgresql.conf && \
            printf 'local all all trust\\nhostssl all all 127.0.0.0/8 trust\\n' >pg_hba.conf
            """)
        server.halt()
        try server.start()

        let rest = "user=postgres dbname=postgres sslrootcert="
        let connection = try connect("host=\(host) \(rest)\(folder)/server.crt")
        var isEncrypted = false
        try connection.query(
            "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", limits: AnswerLimits(silence: .seconds(60))
        ) { isEncrypted = try $0.bool(0) }
        #expect(isEncrypted)

        for address in [
            // No certificate vouches for it.
            "host=\(host) \(rest)\(folder)/missing.crt",
            // It is another one than the one that was asked for.
            "host=db.example.com hostaddr=\(host) \(rest)\(folder)/server.crt",
            // It does not talk without encryption.
            "host=\(host) sslmode=disable \(rest)",
        ] {
            let error = #expect(throws: PostgreSQLError.self) { _ = try connect(address) }
            #expect(error?.kind == .refused || error?.kind == .unreachable, "\(String(describing: error))")
        }
        // A certificate of another authority with the same name.
        try server.shell(
            """
            cd '\(folder)' && openssl req -new -x509 -days 2 -nodes -newkey rsa:2048 -keyout other.key -out other.crt -subj '/CN=\(host)' \
            2>>openssl.log
            """)
        let error = #expect(throws: PostgreSQLError.self) { _ = try connect("host=\(host) \(rest)\(folder)/other.crt") }
        #expect(error?.kind == .refused)
        for part in ["certificate verify failed", "expired", "`sslrootcert`"] {
            #expect(error?.message.contains(part) == true, "\(String(describing: error))")
        }
    }

    /// The host is in a service file. A server that does not encrypt is told nothing.
    @Test(arguments: ["", "sslmode=require", "sslmode=disable"])
    func aServiceFileLeadsToAnotherMachine(mode: String) async throws {
        let number = 128 + Int(getpid()) / 200 % 100
        let host = "127.\(number).\(1 + Int(getpid()) % 200).\(mode.count + 1)"
        let server = try PostgreSQLServer(settings: ["listen_addresses=\(host)"])
        defer { server.stop() }
        try server.shell(
            "printf 'local all all trust\nhost all all 127.0.0.0/8 trust\n' >'\(server.folder.path)/data/pg_hba.conf'")
        server.halt()
        try server.start()
        let file = server.folder.appending(path: "services").path
        try "[far]\nhost=\(host)\n\(mode)\n".write(toFile: file, atomically: true, encoding: .utf8)
        await #expect(processExitsWith: .success) { [file = file as String, host = host as String, mode] () throws in
            setenv("PGSERVICEFILE", file, 1)
            for address in ["service=far", "service=far host=\(host)", "dbname=postgres"] {
                if address == "dbname=postgres" { setenv("PGSERVICE", "far", 1) }
                let outcome = Result {
                    try PostgreSQLConnection(
                        to: ServerAddress("\(address) user=postgres dbname=postgres"), deadline: .now + .seconds(60),
                        wakeUp: WakeUp())
                }
                if mode == "sslmode=disable" {
                    #expect(throws: Never.self) { try outcome.get() }
                } else {
                    let error = #expect(throws: PostgreSQLError.self) { _ = try outcome.get() }
                    #expect(error?.message.contains("SSL") == true, "\(address): \(String(describing: error))")
                }
            }
        }
    }

    private func connect(_ address: String) throws -> PostgreSQLConnection {
        try PostgreSQLConnection(to: ServerAddress(address), deadline: .now + .seconds(60), wakeUp: WakeUp())
    }
}

private let hasOpenSSL = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
