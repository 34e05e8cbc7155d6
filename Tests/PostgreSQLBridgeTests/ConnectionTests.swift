import Foundation
import PostgreSQLTesting
import TestTraits
import Testing

@testable import PostgreSQLBridge

@Suite(
    .enabled(if: PostgreSQLPrograms.installed != nil, Comment(rawValue: PostgreSQLPrograms.skipMessage)),
    .ends(within: 300))
struct ConnectionTests {
    private static let limits = AnswerLimits(silence: .seconds(60))

    private func connected(_ wakeUp: WakeUp = WakeUp()) throws -> PostgreSQLConnection {
        let server = try PostgreSQLServer.shared.get()
        return try PostgreSQLConnection(
            to: ServerAddress(server.address()), deadline: .now + .seconds(60), wakeUp: wakeUp)
    }

    @Test func parametersOfEachTypeComeBackAsTheyWere() throws {
        let connection = try connected()
        let uuid = UUID()
        var count = 0
        try connection.query(
            "SELECT $1::int8, $2::text, $3::bytea, $4::uuid, $5::boolean, $6::bytea, ($7::bytea[])[2], ($7::bytea[])[3] IS NULL, "
                + "array_length($8::int4[], 1), ($9::text[])[1], cardinality($10::bytea[])",
            [
                .int(-5), .text("ß 'x\"; --"), .bytes(Data([0, 255])), .uuid(uuid), .bool(true), .null,
                .byteArrays([Data(), Data([7]), nil]), .ints([1, 2, 3]), .texts(["é"]), .byteArrays([]),
            ], limits: Self.limits
        ) { row throws in
            count += 1
            #expect(try row.int(0) == -5)
            #expect(try row.text(1) == "ß 'x\"; --")
            #expect(try row.data(2) == Data([0, 255]))
            #expect(try row.uuid(3) == uuid)
            #expect(try row.bool(4))
            #expect(row.isNull(5))
            #expect(try row.data(6) == Data([7]))
            #expect(try row.bool(7))
            #expect(try row.int(8) == 3)
            #expect(try row.text(9) == "é")
            #expect(try row.int(10) == 0)
        }
        #expect(count == 1)
    }

    @Test func anErrorOfTheServerHasItsCodeAndTheConnectionGoesOn() throws {
        let connection = try connected()
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.query("SELECT 1/$1::int8", [.int(0)], limits: Self.limits)
        }
        #expect(error?.sqlState == "22012")
        #expect(error?.kind == .failed)
        try connection.query("SELECT 2", limits: Self.limits) { row in
            let value = try row.int(0)
            #expect(value == 2)
        }
    }

    @Test func aStatementIsGivenUpAtItsDeadline() throws {
        let connection = try connected()
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.query("SELECT pg_sleep(600)", limits: AnswerLimits(deadline: .now + .milliseconds(100)))
        }
        #expect(error?.kind == .timedOut)
        #expect(!connection.isOpen)
        #expect(throws: PostgreSQLError.self) { try connection.query("SELECT 1", limits: Self.limits) }
    }

    @Test func aStatementEndsWhenTheProgramStopsIt() throws {
        let wakeUp = WakeUp()
        let connection = try connected(wakeUp)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { wakeUp.stop() }
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.query("SELECT pg_sleep(600)", limits: Self.limits)
        }
        #expect(error?.kind == .stopped)
    }

    @Test func moreRowsThanAskedForAreAnError() throws {
        let connection = try connected()
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.query("SELECT generate_series(1, 1000000)", limits: AnswerLimits(rows: 100))
        }
        #expect(error?.kind == .unexpectedAnswer)
    }

    /// Also one without rows: it may be that of the statement before, which was sent twice on the way.
    @Test(arguments: ["SELECT 1", "SELECT 1 WHERE false", "SET work_mem = '4MB'"])
    func anAnswerOfAnotherShapeIsOfAnotherStatement(sql: String) throws {
        let connection = try connected()
        try connection.query("SELECT 1, 2 WHERE false", columns: 2, limits: Self.limits)
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.query(sql, columns: 2, limits: Self.limits)
        }
        #expect(error == .answersAnotherQuestion && !connection.isOpen)
    }

    @Test func aValueThatIsTooLargeIsAnError() throws {
        let connection = try connected()
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.query("SELECT repeat('x', 30000000)", limits: AnswerLimits(rowBytes: 1 << 20))
        }
        #expect(error?.kind == .unexpectedAnswer)
    }

    @Test func aValueOfAnotherTypeIsAnError() throws {
        let connection = try connected()
        for sql in ["SELECT 'text'", "SELECT NULL::int8", "SELECT 1.5::float4"] {
            #expect(throws: PostgreSQLError.self) {
                try connection.query(sql, limits: Self.limits) { row in _ = try row.uuid(0) }
            }
        }
        let one = try connected()
        #expect(throws: PostgreSQLError.self) { try one.query("SELECT 1", limits: Self.limits) { _ = try $0.int(1) } }
    }

    @Test func notificationsArriveAndANudgeEndsTheWait() throws {
        let wakeUp = WakeUp()
        let (one, other) = (try connected(wakeUp), try connected())
        try one.execute("LISTEN bridge_test", limits: Self.limits)
        try other.query("SELECT pg_notify('bridge_test', $1)", [.text("17")], limits: Self.limits)
        #expect(try one.notifications(until: .now + .seconds(60)) == ["17"])
        wakeUp.nudge()
        #expect(try one.notifications(until: .now + .seconds(60)) == [])
        #expect(try one.notifications(until: .now + .milliseconds(10)) == [])
    }

    @Test func aServerThatEndsIsAnErrorOfItsOwn() throws {
        let (one, other) = (try connected(), try connected())
        var process = 0
        try one.query("SELECT pg_backend_pid()", limits: Self.limits) { process = try $0.int(0) }
        try other.query("SELECT pg_terminate_backend($1::int8::int4)", [.int(Int64(process))], limits: Self.limits)
        let error = #expect(throws: PostgreSQLError.self) { try one.query("SELECT 1", limits: Self.limits) }
        #expect(error?.isPassing == true)
        #expect(!one.isOpen)
    }

    @Test func aRoleThatDoesNotExistIsRefused() throws {
        let server = try PostgreSQLServer.shared.get()
        let error = #expect(throws: PostgreSQLError.self) {
            _ = try PostgreSQLConnection(
                to: ServerAddress(server.address(user: "no_such_role")), deadline: .now + .seconds(60), wakeUp: WakeUp()
            )
        }
        #expect(error?.kind == .refused)
    }
}
