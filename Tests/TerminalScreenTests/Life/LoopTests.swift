import Foundation
import TerminalTesting
import Testing

/// The event loop in a real process: every event that it waits for reaches it.
@Suite struct LoopTests {
    @Test func keysArriveInOrder() async throws {
        let probe = try await ProbeRun()
        try await probe.send("ab\u{1B}[A\u{1B}OB\u{1B}[15~\u{1B}x\u{01}ä\rz", expect: "key z")
        #expect(
            probe.events.dropFirst() == [
                "key a", "key b", "key up", "key down", "key function(5)", "key Alt-x", "key Ctrl-a", "key ä",
                "key enter",
                "key z",
            ])
    }

    /// The key K takes long, so that the others are all there when it is handled; the key k sends SIGTERM.
    @Test func aSignalIsSeenBeforeManyKeysAreDelivered() async throws {
        let probe = try await ProbeRun()
        probe.terminal.send("Kk" + String(repeating: "x", count: 20_000))
        #expect(try await probe.terminal.waitForEnd() == .exited(143))
        let delivered = probe.events.count { $0 == "key x" }
        #expect(probe.events.contains("key k") && delivered < 512, "\(delivered) keys")
    }

    @Test func manyKeysArriveInOrderAndFramesAreShownBetweenThem() async throws {
        let sign = LoopSign()
        defer { sign.remove() }
        let probe = try await ProbeRun(environment: ["YAP_LOOP_SIGN": sign.path])
        var random = SplitMix64(seed: 5)
        let keys = (0..<20_000).map { _ in Array("abfghijsuxäß")[random.below(12)] }
        let frames = sign.reading.frames
        probe.terminal.send("K" + String(keys) + "z")
        try await probe.wait(for: "key z")
        #expect(probe.events.filter { $0.hasPrefix("key") } == ["key K"] + keys.map { "key \($0)" } + ["key z"])
        #expect(sign.reading.frames - frames >= 20_000 / 256)
    }

    @Test func keysTypedAtTheEndOfAWaitArrive() async throws {
        let probe = try await ProbeRun("work", readyLine: "waiting")
        probe.terminal.send("xyz")
        try await probe.wait(for: "key z")
        #expect(probe.events.filter { $0.hasPrefix("key") } == ["key x", "key y", "key z"])
    }

    @Test func escArrivesThoughNothingFollows() async throws {
        let probe = try await ProbeRun()
        try await probe.send("\u{1B}", expect: "key escape")
    }

    @Test func theMouseIsHeardUntilItIsSwitchedOff() async throws {
        let probe = try await ProbeRun(width: 300)
        try await probe.send("\u{1B}[<0;280;3M", expect: "press 1 at 279,2")
        try await probe.send("\u{1B}[<65;1;1M", expect: "wheel 3 at 0,0")
        try await probe.send("m", expect: "key m")
        try await probe.terminal.wait(for: "The mouse switched off") {
            ModeTrace(probe.terminal.output).privateModes.isDisjoint(with: [1000, 1002, 1003, 1006])
        }
        probe.terminal.send("m")
        try await probe.terminal.wait(for: "The mouse switched on") {
            ModeTrace(probe.terminal.output).privateModes.isSuperset(of: [1000, 1002, 1006])
        }
    }

    /// A terminal that does not bracket a paste.
    @Test func linesThatArriveAtOnceAreAPaste() async throws {
        let probe = try await ProbeRun()
        let line = String(repeating: "many words ", count: 20)
        try await probe.send("\(line)\r\(line)", expect: #"paste "\#(line)\n\#(line)""#)
    }

    @Test func pastesAndFocusArrive() async throws {
        let probe = try await ProbeRun()
        try await probe.send("\u{1B}[200~two\rlines q\u{1B}[201~", expect: #"paste "two\nlines q""#)
        try await probe.send("\u{1B}[O", expect: "focus false")
    }

    @Test func otherThreadsWakeTheLoop() async throws {
        let probe = try await ProbeRun()
        try await probe.send("w", expect: "woken")
    }

    @Test func theMainQueueAndTheMainActorAreServed() async throws {
        let probe = try await ProbeRun()
        try await probe.send("d", expect: "main queue")
        try await probe.send("t", expect: "main actor")
    }

    @Test func aNewSizeIsHeardThoughFourThreadsAreBusy() async throws {
        let probe = try await ProbeRun("busy")
        probe.terminal.resize(width: 120, height: 40)
        try await probe.wait(for: "resize 120x40")
        for height in 10...39 { probe.terminal.resize(width: 20, height: height) }
        try await probe.wait(for: "resize 20x39")
    }

    @Test func aNewSizeInTheMiddleOfAnAnimationEndsInTheSameScreen() async throws {
        let log = try ProbeRun.newLog()
        defer { try? FileManager.default.removeItem(at: log) }
        let tmux = try TmuxSession("\(builtProduct("terminal-probe")) \(log.path) busy list", width: 40, height: 24)
        try await tmux.wait(for: "The list") { $0.first?.contains("row new 0") == true }
        for (round, size) in [(60, 12), (20, 5), (100, 30)].enumerated() {
            // The change-set takes a quarter of a second; the new size arrives during it.
            try tmux.sendKeys("n")
            try tmux.resize(width: size.0, height: size.1)
            let top = (1...4).map { $0 == 1 ? " row new \(round + 1)" : " row \($0 - 1)" }
            try await tmux.wait(for: "The list after \(round + 1) changes") { lines in
                lines.count >= size.1 && lines[0] == top[0]
                    && lines[1..<4].elementsEqual((1...3).map { " row \($0)" })
            }
        }
        try await tmux.wait(for: "The end of the list") { lines in
            lines[18...22].elementsEqual([" row 18", " row 19", " row new 2", " row new 1", " row new 0"])
        }
    }

    @Test func theTerminalIsAskedForItsBackground() async throws {
        let probe = try await ProbeRun()
        try await probe.terminal.wait(for: "The question") {
            String(decoding: probe.terminal.output, as: UTF8.self).contains("\u{1B}]11;?")
        }
        try await probe.send("\u{1B}]11;rgb:ffff/ffff/dddd\u{1B}\\", expect: "background light")
        try await probe.send("\u{1B}]11;rgb:1c1c/1c1c/1c1c\u{07}", expect: "background dark")
    }

    @Test func nothingWakesAnIdleLoop() async throws {
        let probe = try await ProbeRun()
        try await probe.send("a", expect: "key a")
        try await probe.terminal.wait(for: "The frame") {
            String(decoding: probe.terminal.output, as: UTF8.self).contains("key a")
        }
        try await probe.terminal.wait(for: "An idle loop") { (try? status(of: probe, "State"))?.contains("S") ?? false }
        // A busy machine may find it asleep within its last step: time is the subject, and a second without a step will come.
        var (before, after) = (try switches(of: probe), Substring())
        for _ in 0..<5 where before != after {
            before = try switches(of: probe)
            try await Task.sleep(for: .seconds(1))
            after = try switches(of: probe)
        }
        #expect(after == before)
    }

    /// Returns how often the loop's thread has gone to sleep.
    private func switches(of probe: ProbeRun) throws -> Substring {
        try status(of: probe, "voluntary_ctxt_switches")
    }

    private func status(of probe: ProbeRun, _ name: String) throws -> Substring {
        let status = try String(contentsOfFile: "/proc/\(probe.process)/status", encoding: .utf8)
        return try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
    }
}
