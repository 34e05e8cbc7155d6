import Foundation
import SeededRandom
import TestTraits
import Testing

@testable import PostgreSQLBridge

/// A server that is none, or means harm: each answer is an error, soon, and within bounded memory.
@Suite(.ends(within: 300)) struct GarbageTests {
    private static let limits = AnswerLimits(silence: .milliseconds(500), rows: 1_000, rowBytes: 8 << 20)

    private func ask(_ answer: GarbageServer.Answer) throws {
        let server = try GarbageServer(answer)
        let connection = try PostgreSQLConnection(
            to: ServerAddress(server.address), deadline: .now + .milliseconds(1_500), wakeUp: WakeUp())
        try connection.execute("SELECT 1", limits: Self.limits)
        try connection.query("SELECT 1", limits: Self.limits) { row in _ = try row.int(0) }
    }

    @Test func randomBytesAreAnError() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20 {
            let bytes = (0..<random.below(300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(throws: PostgreSQLError.self) { try ask(.atOnce(bytes)) }
        }
        for type in "TDCEZNSAIRK123tsn" {
            let bytes = (0..<random.below(100)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(throws: PostgreSQLError.self) { try ask(.toAStatement(GarbageServer.message(type, bytes))) }
        }
    }

    @Test func silenceIsAnError() throws { #expect(throws: PostgreSQLError.self) { try ask(.silence) } }

    /// One column, no name, of bytes.
    private static let columns = GarbageServer.message(
        "T", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 17, 255, 255, 255, 255, 255, 255, 0, 1])

    @Test func rowsWithoutEndAreAnError() throws {
        let row = GarbageServer.message("D", [0, 1, 0, 0, 0, 1, 65])
        #expect(throws: PostgreSQLError.self) {
            try ask(.endlessly(head: Self.columns, Array(repeatElement(row, count: 1_000).joined())))
        }
    }

    @Test func aValueOfTwoGigabytesIsAnErrorLongBeforeItIsHere() throws {
        let head = GarbageServer.message("D", [0, 1, 0x7f, 0xff, 0xff, 0xf0], length: 0x7fff_fffe)
        #expect(throws: PostgreSQLError.self) {
            try ask(.endlessly(head: Self.columns + head, [UInt8](repeating: 65, count: 1 << 20)))
        }
    }

    @Test func noticesWithoutEndAreAnError() throws {
        let notice = GarbageServer.message("N", Array("SNOTICE\0Mhello\0".utf8) + [0])
        #expect(throws: PostgreSQLError.self) {
            try ask(.endlessly(head: [], Array(repeatElement(notice, count: 1_000).joined())))
        }
    }
}
