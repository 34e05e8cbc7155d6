/// What libpq says of a connection that could not be made, with `PQERRORS_VERBOSE`: a line for each address that it tried,
///
///     connection to server at "db", port 5432 failed: FATAL:  28P01: password authentication failed for user "ada"
///     LOCATION:  auth_failed, auth.c:326
///
/// The words are in the language of the server or of the system; the code is not.
struct ConnectionFailure {
    /// In one line, without codes and places in the server's sources.
    let text: String
    /// The code of the server that did not want the user, or else of the last one that answered; nil if none did.
    let sqlState: String?
    /// Whether another attempt would not change it.
    let isRefusal: Bool

    /// What may be the case and what helps; nil if the text says it. OpenSSL's sentence, which no system translates, is the same for each reason.
    var advice: String? {
        guard text.contains("certificate verify failed") else { return nil }
        return """
            Either the server's certificate has expired or is not valid yet, by the date of this machine: renew it, or set the clock. Or an authority \
            has signed it that this machine does not know: name the file with the authority's certificate by `sslrootcert` in the address.
            """
    }

    /// - Parameter needsPassword: whether the server asked for a password and none was given.
    init(text: String, needsPassword: Bool = false) {
        var (words, states): ([Substring], [String]) = ([], [])
        for line in text.split(whereSeparator: \.isNewline) {
            var line = line.split(whereSeparator: \.isWhitespace)
            if Self.isPlaceInSources(line) { continue }
            // What stands before the code names the address, which may have any name.
            if let index = line.indices.dropFirst().first(where: { Self.isCode(line[$0], after: line[$0 - 1]) }) {
                states.append(String(line.remove(at: index).dropLast()))
            }
            words += line
        }
        self.text = words.joined(separator: " ")
        let refusal = states.first(where: Self.isRefusal)
        // libpq's own sentence for a server that may not be written.
        sqlState = refusal ?? states.last ?? (text.contains("session is read-only") ? SQLState.readOnly : nil)
        isRefusal = refusal != nil || needsPassword || states.isEmpty && Self.isRefusedHere(text)
    }

    /// `28P01:` behind `FATAL:` or, as some languages have it, behind `FATAL :`.
    private static func isCode(_ word: Substring, after before: Substring) -> Bool {
        word.utf8.count == 6 && word.hasSuffix(":") && before.hasSuffix(":") && word.first?.isNumber == true
            && word.dropLast().allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
    }

    /// `LOCATION:  auth_failed, auth.c:326`.
    private static func isPlaceInSources(_ line: [Substring]) -> Bool {
        guard let place = line.last?.split(separator: ":"), let function = line.dropLast().last else { return false }
        return line.count < 5 && function.hasSuffix(",") && place.count == 2 && place[0].hasSuffix(".c")
            && Int(place[1]) != nil
    }

    /// Who is not let in, a database that is not there, and no right to connect to it.
    private static func isRefusal(_ state: String) -> Bool {
        state.hasPrefix("28") || state == "3D000" || state == SQLState.noRight
    }

    /// Whether libpq itself says that it may not connect: a certificate is missing or wrong, or one side wants no TLS. A network or a
    /// server that ends while TLS begins is none of these.
    private static func isRefusedHere(_ text: String) -> Bool {
        let passing = [
            "SSL SYSCALL error", "server closed the connection unexpectedly", "unexpected eof",
            "Connection reset by peer",
        ]
        return ["certificate", "SSL"].contains(where: text.contains) && !passing.contains(where: text.contains)
    }
}
