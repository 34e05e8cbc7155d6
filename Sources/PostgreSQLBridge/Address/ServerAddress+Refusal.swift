import CPostgreSQL
import Foundation

/// What libpq refuses before it tries: no attempt would mend it.
///
/// It checks values and their numbers only when it connects. So it is asked to connect over sockets that do not exist, with everything else as it
/// is. Then it says for each of them that it is not there, or else what is wrong with the address. Nothing is looked up, and no server is asked.
extension ServerAddress {
    /// In libpq's words; nil if it would try the address.
    func reasonOfRefusal() -> String? {
        if let (key, value) = settings.first(where: { Self.numbers.contains($0.key) && Self.number($0.value) == nil }) {
            return "invalid integer value \"\(value)\" for connection option \"\(key)\""
        }
        let (names, numbers) = (list("host"), list("hostaddr"))
        if let number = numbers.first(where: { !$0.isEmpty && !Self.isNumeric($0) }) {
            return "could not parse network address \"\(number)\""
        }
        let sockets = (0..<max(names.count, numbers.count, 1)).map { "/nonexistent/yap\($0)." }
        // With a password it does not look for one.
        var tried = settings.merging(["host": sockets.joined(separator: ","), "password": "none"]) { $1 }
        // Of another number than the names they are refused, otherwise they would be connected to.
        if names.isEmpty || names.count == numbers.count { tried["hostaddr"] = nil }
        guard let handle = Self.connect(tried) else { return nil }
        defer { PQfinish(handle) }
        // The environment or a service file may lead elsewhere.
        guard PQstatus(handle) == CONNECTION_BAD, !hasNumberFromElsewhere(handle, tried) else { return nil }
        let text = String(cString: PQerrorMessage(handle))
        guard !sockets.allSatisfy(text.contains) else { return nil }
        return text.split(whereSeparator: \.isNewline).filter { line in !sockets.contains(where: line.contains) }
            .joined(separator: " ")
    }

    private func hasNumberFromElsewhere(_ handle: OpaquePointer, _ tried: [String: String]) -> Bool {
        guard tried["hostaddr"] == nil, let options = PQconninfo(handle) else { return false }
        defer { PQconninfoFree(options) }
        return Self.values(of: options)["hostaddr"]?.isEmpty == false
    }

    /// What libpq reads only once it has a socket.
    private static let numbers: Set = [
        "connect_timeout", "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count",
        "tcp_user_timeout",
    ]

    private static func number(_ text: String) -> Int32? { Int32(text.trimmingCharacters(in: .whitespaces)) }

    /// Whether a text is an address of the network and no name.
    private static func isNumeric(_ text: String) -> Bool {
        var (hints, found) = (addrinfo(), UnsafeMutablePointer<addrinfo>?.none)
        hints.ai_flags = AI_NUMERICHOST
        defer { if let found { freeaddrinfo(found) } }
        return getaddrinfo(text, nil, &hints, &found) == 0
    }
}
