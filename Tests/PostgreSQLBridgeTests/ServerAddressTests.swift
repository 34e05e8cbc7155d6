import Foundation
import Testing

@testable import PostgreSQLBridge

@Suite struct ServerAddressTests {
    @Test func aPasswordIsInNoTextOfAnAddress() throws {
        let address = try ServerAddress("postgres://alice:s3cret@db.example.com:5433/team")
        #expect(address.hasPassword)
        #expect("\(address)" == "alice@db.example.com:5433/team")
        #expect(address.redacted("it said s3cret twice: s3cret") == "it said … twice: …")
    }

    @Test(arguments: ["postgres://a:s3cret@h:port/db?x", "host='s3cret", "s3cret", "password=s3cret nonsense"])
    func anAddressThatIsNoneIsAnErrorThatDoesNotQuoteIt(text: String) {
        let error = #expect(throws: PostgreSQLError.self) { _ = try ServerAddress(text) }
        #expect(error?.kind == .badAddress)
        #expect(error?.message.contains("s3cret") == false)
    }

    /// What libpq reads only when it connects, and refuses before it has tried: no attempt would mend it.
    @Test(
        arguments: [
            ("sslmode=bogus", "invalid sslmode value: \"bogus\""),
            ("host=db.example.com sslmode=bogus password=s3cret", "invalid sslmode value: \"bogus\""),
            ("host=localhost port=99999", "invalid port number: \"99999\""),
            ("postgres://localhost:0/d", "invalid port number: \"0\""),
            ("host=/tmp,localhost port=5432,99999", "invalid port number: \"99999\""),
            ("host=localhost,/tmp port=x,5432", "\"x\""),
            ("host=a,b,c port=1,2", "could not match 2 port numbers to 3 hosts"),
            ("host=a,b hostaddr=127.0.0.1", "could not match 2 host names to 1 hostaddr values"),
            ("hostaddr=999.0.0.1", "could not parse network address \"999.0.0.1\""),
            ("target_session_attrs=anything", "invalid target_session_attrs value: \"anything\""),
            ("host=localhost keepalives_idle=soon", "invalid integer value \"soon\""),
            ("service=no_such_service", "\"no_such_service\" not found"),
        ])
    func whatNoAttemptCanMendIsNoAddress(text: String, part: String) {
        let error = #expect(throws: PostgreSQLError.self) { _ = try ServerAddress(text) }
        #expect(error?.kind == .badAddress)
        #expect(error?.message.contains(part) == true, "\(String(describing: error))")
        #expect(error?.message.contains("s3cret") == false && error?.message.contains("nonexistent") == false)
    }

    /// A host that cannot be resolved or reached is an outage.
    @Test(
        arguments: [
            "", "dbname=d", "host=no.such.host.invalid", "host=a,b,c port=1", "host=a,b port=1,2", "host=,b port=,2",
            "host=a,b hostaddr=127.0.0.1,::1", "hostaddr=127.0.0.1,192.0.2.1 port=1,2", "host=/nonexistent port=5432",
            "host=@abstract", "postgres://ada:s3cret@[::1]:5432/d?connect_timeout=3",
            "host=a sslmode=verify-full sslrootcert=/missing.crt",
            "host=a keepalives_idle=5 tcp_user_timeout=0", "hostaddr=fe80::1%lo",
        ])
    func whatAnAttemptMayMendIsAnAddress(text: String) throws { _ = try ServerAddress(text) }

    /// It says so before anything is looked up, also where the environment leads to another machine.
    @Test func theEnvironmentIsReadWithTheAddress() async {
        await #expect(processExitsWith: .success) { () throws in
            setenv("PGHOSTADDR", "192.0.2.1", 1)
            _ = try ServerAddress("dbname=d")
            unsetenv("PGHOSTADDR")
            setenv("PGSSLMODE", "bogus", 1)
            #expect(throws: PostgreSQLError.self) { _ = try ServerAddress("dbname=d") }
            _ = try ServerAddress("dbname=d sslmode=require")
        }
    }

    @Test func severalHostsAreTriedOneByOne() throws {
        let hosts = try ServerAddress("host=a,b port=1,2 dbname=d").hosts()
        #expect(hosts.map { $0["host"] } == ["a", "b"])
        #expect(hosts.map { $0["port"] } == ["1", "2"])
        #expect(hosts.allSatisfy { $0["target_session_attrs"] == "read-write" })
    }

    @Test func theWayToAnotherMachineNeedsAServerThatShowsWhoItIs() throws {
        #expect(try ServerAddress("host=db.example.com").hosts()[0]["sslmode"] == "verify-full")
        #expect(try ServerAddress("host=db.example.com sslmode=require").hosts()[0]["sslmode"] == "require")
        #expect(try ServerAddress("host=/run/postgresql").hosts()[0]["sslmode"] == nil)
        #expect(try ServerAddress("host=localhost").hosts()[0]["sslmode"] == nil)
        // libpq connects to the number, whatever the name is.
        #expect(try ServerAddress("host=localhost hostaddr=192.0.2.1").hosts()[0]["sslmode"] == "verify-full")
        #expect(try ServerAddress("host=localhost hostaddr=127.0.0.1").hosts()[0]["sslmode"] == nil)
        #expect(
            try ServerAddress("host=localhost,db.example.com").hosts().map { $0["sslmode"] } == [nil, "verify-full"])
    }

    @Test(
        arguments: [
            ("PGHOST=db.example.com", "dbname=d", "verify-full"), ("PGHOST=/run/postgresql", "dbname=d", nil),
            ("PGHOST=/tmp,db.example.com", "dbname=d", "verify-full"),
            ("PGHOSTADDR=192.0.2.1", "host=localhost", "verify-full"),
            ("PGHOST=db.example.com", "host=/tmp", nil), ("PGHOST=db.example.com", "sslmode=require", "require"),
        ] as [(String, String, String?)])
    func theEnvironmentNamesAnotherMachine(variable: String, address: String, mode: String?) async {
        await #expect(processExitsWith: .success) { [variable, address, mode] () throws in
            let parts = variable.split(separator: "=", maxSplits: 1).map(String.init)
            setenv(parts[0], parts[1], 1)
            #expect(try ServerAddress(address).hosts()[0]["sslmode"] == mode)
        }
    }

    @Test func aHostThatDoesNotAnswerIsUnreachable() throws {
        let error = #expect(throws: PostgreSQLError.self) {
            _ = try PostgreSQLConnection(
                to: ServerAddress("host=127.0.0.1 port=1 user=x"), deadline: .now + .seconds(60), wakeUp: WakeUp())
        }
        #expect(error?.kind == .unreachable)
        #expect(error?.isPassing == true)
    }
}
