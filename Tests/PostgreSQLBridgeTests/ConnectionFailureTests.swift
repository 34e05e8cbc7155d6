import Testing

@testable import PostgreSQLBridge

/// A connection that fails is told apart by codes, whatever the language of the server and of the system.
@Suite struct ConnectionFailureTests {
    @Test(
        arguments: [
            (
                """
                connection to server at "db" (::1), port 5432 failed: FATAL:  28P01: password authentication failed for user "ada"
                LOCATION:  auth_failed, auth.c:326
                """, "28P01", true,
                "connection to server at \"db\" (::1), port 5432 failed: FATAL: password authentication failed for user \"ada\""
            ),
            (
                """
                Verbindung zum Server auf Socket »/tmp/.s.PGSQL.5432« fehlgeschlagen: FATAL:  28000: Rolle »ada« existiert nicht
                ORT:  InitializeSessionUserId, miscinit.c:757
                """, "28000", true,
                "Verbindung zum Server auf Socket »/tmp/.s.PGSQL.5432« fehlgeschlagen: FATAL: Rolle »ada« existiert nicht"
            ),
            (
                """
                connexion au serveur : FATAL :  3D000: la base de données « x » n'existe pas
                EMPLACEMENT : InitPostgres, postinit.c:1028
                """, "3D000", true, "connexion au serveur : FATAL : la base de données « x » n'existe pas"
            ),
            // The first address is starting, the second one does not want the user.
            (
                """
                a failed: FATAL:  57P03: the database system is starting up
                LOCATION:  ProcessStartupPacket, postmaster.c:2378
                b failed: FATAL:  28000: role "ada" is not permitted to log in
                LOCATION:  InitializeSessionUserId, miscinit.c:757
                """, "28000", true,
                "a failed: FATAL: the database system is starting up b failed: FATAL: role \"ada\" is not permitted to log in"
            ),
            (
                """
                a failed: FATAL:  53300: sorry, too many clients already
                LOCATION:  InitProcess, proc.c:342

                """, "53300", false, "a failed: FATAL: sorry, too many clients already"
            ),
            (
                "connection to server at \"12345: x\", port 1 failed: Connection refused\n\tIs the server running?\n",
                nil,
                false, "connection to server at \"12345: x\", port 1 failed: Connection refused Is the server running?"
            ),
            (
                "a failed: root certificate file \"/r.crt\" does not exist", nil, true,
                "a failed: root certificate file \"/r.crt\" does not exist"
            ),
            ("a failed: session is read-only", "25006", false, "a failed: session is read-only"),
            ("a failed: SSL SYSCALL error: EOF detected", nil, false, "a failed: SSL SYSCALL error: EOF detected"),
            ("", nil, false, ""),
        ] as [(String, String?, Bool, String)])
    func codesTellWhetherAnotherAttemptHelps(text: String, sqlState: String?, isRefusal: Bool, shown: String) {
        let failure = ConnectionFailure(text: text)
        #expect(failure.sqlState == sqlState)
        #expect(failure.isRefusal == isRefusal)
        #expect(failure.text == shown)
    }

    /// OpenSSL says the same of a certificate that has expired and of one whose authority is not known.
    @Test(
        arguments: [
            ("a failed: SSL error: certificate verify failed", ["expired", "date", "`sslrootcert`"]),
            ("a failed: root certificate file \"/r.crt\" does not exist", []), ("a failed: Connection refused", []),
        ] as [(String, [String])])
    func aCertificateThatIsNotTrustedHasAnAdvice(text: String, parts: [String]) {
        let advice = ConnectionFailure(text: text).advice
        #expect((advice == nil) == parts.isEmpty)
        for part in parts { #expect(advice?.contains(part) == true) }
    }

    @Test func aMissingPasswordIsARefusal() {
        #expect(ConnectionFailure(text: "fe_sendauth: kein Passwort angegeben", needsPassword: true).isRefusal)
        #expect(!ConnectionFailure(text: "fe_sendauth: kein Passwort angegeben").isRefusal)
    }
}
