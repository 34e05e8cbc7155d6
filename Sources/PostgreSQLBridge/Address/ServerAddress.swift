import CPostgreSQL
import Foundation

/// Where a server is: libpq's connection string, as a URI or as `host=… dbname=…`.
package struct ServerAddress: Hashable, Sendable {
    /// Keywords of libpq and their values, without those that are not set.
    private(set) var settings: [String: String]

    /// - Throws: ``PostgreSQLError`` with `badAddress`, also if libpq would never try the address, or `noLibrary`. libpq's own message about a text
    ///   that is no connection string would quote parts of the text.
    package init(_ text: String) throws {
        guard yap_load_libpq() else {
            throw PostgreSQLError(
                .noLibrary, "A server needs PostgreSQL's library libpq, which is not installed. Debian calls it libpq5."
            )
        }
        guard let list = PQconninfoParse(text, nil) else {
            throw PostgreSQLError(
                .badAddress,
                "The address is not a connection string of PostgreSQL, such as postgres://name@host:5432/database or "
                    + "host=/run/postgresql dbname=database.")
        }
        defer { PQconninfoFree(list) }
        settings = Self.values(of: list)
        if let reason = reasonOfRefusal() {
            let end = reason.last?.isPunctuation == true ? "" : "."
            throw PostgreSQLError(.badAddress, redacted("The address cannot be used: \(reason)\(end)"))
        }
    }

    /// The address for work that is not tried again, so that one host may take all the time. A follower turns to the next host or tries again.
    package var patient: ServerAddress {
        var address = self
        if hosts().count == 1, settings["connect_timeout"] == nil { address.settings["connect_timeout"] = "60" }
        return address
    }

    /// Whether the text has a password, which everyone on the machine could read in a list of processes.
    package var hasPassword: Bool { settings["password"] != nil || settings["sslpassword"] != nil }

    /// The role that connects.
    package var role: String {
        settings["user"] ?? ProcessInfo.processInfo.environment["PGUSER"] ?? NSUserName()
    }

    /// The addresses of the hosts, one each, in the order in which they are to be tried, completed by what the library
    /// wants.
    func hosts() -> [[String: String]] {
        let names = list("host")
        let numbers = list("hostaddr")
        let ports = list("port")
        return (0..<max(names.count, numbers.count, 1)).map { index in
            var host = Self.defaults.merging(settings) { $1 }
            for (key, values) in [("host", names), ("hostaddr", numbers)] where index < values.count {
                host[key] = values[index]
            }
            if let port = ports.count == 1 ? ports[0] : ports.indices.contains(index) ? ports[index] : nil {
                host["port"] = port
            }
            if !saysHowToEncrypt, !usesService,
                isRemote(host["host"] ?? Self.variable("PGHOST"), host["hostaddr"] ?? Self.variable("PGHOSTADDR"))
            {
                host["sslmode"] = Self.provenMode
            }
            return host
        }
    }

    /// How long to wait for one host.
    var patience: Duration {
        settings["connect_timeout"].flatMap { Int($0) }.map { .seconds(min(max($0, 1), 60)) } ?? .seconds(3)
    }

    /// Removes the password from a text, should it be there.
    func redacted(_ text: String) -> String {
        ["password", "sslpassword"].compactMap { settings[$0] }.filter { !$0.isEmpty }
            .reduce(text) { $0.replacingOccurrences(of: $1, with: "…") }
    }

    /// A server that is gone is noticed within seconds, whichever side is silent.
    private static let defaults = [
        "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "10000",
        "application_name": "yap", "client_encoding": "UTF8", "target_session_attrs": "read-write",
    ]

    func list(_ key: String) -> [String] {
        settings[key].map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

// MARK: Encryption

extension ServerAddress {
    /// What is asked of a server on another machine: encryption, and a certificate for the name by which it is reached.
    static let provenMode = "verify-full"

    /// Whether the address or the environment says it, so that nothing is added.
    private var saysHowToEncrypt: Bool { settings["sslmode"] != nil || Self.variable("PGSSLMODE") != nil }

    /// What a service file says completes the address, once libpq has read it.
    private var usesService: Bool { settings["service"] != nil || Self.variable("PGSERVICE") != nil }

    /// Whether a connection that has begun, and has sent nothing yet, must begin again with ``provenMode``: a service file leads to another machine and
    /// does not say how to encrypt.
    func mustBeProven(_ handle: OpaquePointer) -> Bool {
        guard usesService, !saysHowToEncrypt, let options = PQconninfo(handle) else { return false }
        defer { PQconninfoFree(options) }
        let found = Self.values(of: options)
        return found["sslmode"] == "prefer" && isRemote(found["host"], found["hostaddr"])
    }

    /// Whether the way to one of the hosts leaves the machine. libpq takes numbers before names.
    private func isRemote(_ names: String?, _ numbers: String?) -> Bool {
        let hosts = numbers.flatMap { $0.isEmpty ? nil : $0 } ?? names ?? ""
        return hosts.split(separator: ",").contains { host in
            !(host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "127.0.0.1", "::1"].contains(host))
        }
    }

    static func values(of list: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var (values, place) = ([String: String](), list)
        while let keyword = place.pointee.keyword {
            if let value = place.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            place += 1
        }
        return values
    }
}

extension ServerAddress: CustomStringConvertible {
    /// User, hosts and database; never a password.
    package var description: String {
        let user = settings["user"].map { "\($0)@" } ?? ""
        let host =
            settings["host"] ?? settings["hostaddr"] ?? settings["service"].map { "service \($0)" } ?? "this machine"
        let port = settings["port"].map { ":\($0)" } ?? ""
        return user + host + port + (settings["dbname"].map { "/\($0)" } ?? "")
    }
}

extension ServerAddress {
    /// A connection string that leads to the same server, without passwords: a URI, or keywords where a URI is not enough.
    package var text: String {
        let shown = settings.filter { !["password", "sslpassword"].contains($0.key) }
        let isPlain = shown.allSatisfy { key, value in
            ["user", "host", "port", "dbname"].contains(key) && !value.isEmpty
                && value.utf8.allSatisfy { Character(Unicode.Scalar($0)).isPlainInAddress }
        }
        if isPlain, let host = shown["host"] {
            let user = shown["user"].map { "\($0)@" } ?? ""
            let port = shown["port"].map { ":\($0)" } ?? ""
            return "postgres://\(user)\(host)\(port)" + (shown["dbname"].map { "/\($0)" } ?? "")
        }
        return shown.sorted { $0.key < $1.key }.map { key, value in
            // By scalars: for libpq a quotation mark with a combining mark behind it is one, too.
            let marks = value.unicodeScalars.filter { $0 == "'" || $0 == "\\" || $0.properties.isWhitespace }
            let isPlain = !value.isEmpty && marks.isEmpty
            let quoted = value.unicodeScalars.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
            return "\(key)=" + (isPlain ? value : "'\(quoted)'")
        }.joined(separator: " ")
    }
}

extension Character {
    /// Whether a URI has the character as it is, and none of the parts of an address ends with it.
    fileprivate var isPlainInAddress: Bool { isASCII && (isLetter || isNumber || "-._".contains(self)) }
}
