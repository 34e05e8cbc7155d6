import ChatRoster
import Foundation
import Synchronization

/// `yap chat` as two people use it, each process on a terminal of its own, and with a conversation of 100,000 messages.
let chatCases: [Case] = [
    Case(
        name: "chat_two_process_p95/full", n: messages, k: 1, unit: "ms", targets: [.value(atMost: 25, "ms")],
        isAlone: true
    ) { Measurement(value: try delays(motion: "full").quantile95) },
    Case(
        name: "chat_two_process_p95/none", n: messages, k: 1, unit: "ms", targets: [.value(atMost: 15, "ms")],
        isAlone: true
    ) { Measurement(value: try delays(motion: "none").quantile95) },
    longCase("chat_open", "ms", atMost: 100) { terminal, start in
        try terminal.wait(for: "number 99999")
        return (Time.passed - start) * 1e3
    },
    longCase("chat_search", "ms", atMost: 50) { terminal, _ in
        try terminal.wait(for: "number 99999")
        terminal.send("\u{12}")
        try terminal.wait(for: "search:")
        let start = Time.passed
        terminal.send("4711")
        // In the line, and in the message that is found.
        try terminal.wait(for: "4711", times: 2)
        return (Time.passed - start) * 1e3
    },
    longCase("chat_to_the_beginning", "ms", atMost: 1_000) { terminal, _ in
        try terminal.wait(for: "number 99999")
        terminal.send("\t\t")
        let start = Time.passed
        terminal.send("g")
        try terminal.wait(for: "The beginning of bob")
        return (Time.passed - start) * 1e3
    },
    longCase("chat_memory", "MB", atMost: 45) { terminal, _ in
        try terminal.wait(for: "number 99999")
        for _ in 0..<100 {
            terminal.send("\u{1B}[5~")
            usleep(20_000)
        }
        return try terminal.memory()
    },
]

private let messages = 200

private func longCase(
    _ name: String, _ unit: String, atMost limit: Double,
    _ measure: @escaping @MainActor @Sendable (ChatTerminal, Double) throws -> Double
) -> Case {
    Case(name: name, n: 100_000, k: 1, unit: unit, targets: [.value(atMost: limit, unit)], isAlone: true) {
        try withScratchFolder { folder in
            let url = folder.appending(path: "chat.sqlite")
            try ChatSample.make(url, messages: 100_000)
            let values = try (0..<3).map { _ in
                let start = Time.passed
                let terminal = try ChatTerminal(url, as: "alice", with: "bob", motion: "none")
                defer { terminal.end() }
                return try measure(terminal, start)
            }
            return Measurement(value: values.median)
        }
    }
}

/// Milliseconds from Enter in one process to the text in what the other one has written to its terminal.
@MainActor private func delays(motion: String) throws -> [Double] {
    try withScratchFolder { folder in
        let url = folder.appending(path: "chat.sqlite")
        let alice = try ChatTerminal(url, as: "alice", with: "bob", motion: motion)
        try alice.wait(for: "Enter")
        let bob = try ChatTerminal(url, as: "bob", with: "alice", motion: motion)
        defer {
            alice.end()
            bob.end()
        }
        try bob.wait(for: "Enter")
        return try (0..<messages).map { number in
            let text = unlikeText(number)
            alice.send(text)
            try alice.wait(for: text)
            usleep(300_000)
            let start = Time.passed
            alice.send("\r")
            try bob.wait(for: text)
            return (Time.passed - start) * 1e3
        }
    }
}

/// How often all threads of a chat wake up in a second in which nothing happens.
@MainActor func wakeUpsOfChatAtRest() throws -> Double {
    try withScratchFolder { folder in
        let terminal = try ChatTerminal(
            folder.appending(path: "chat.sqlite"), as: "alice", with: "bob", motion: "none")
        defer { terminal.end() }
        try terminal.wait(for: "Enter")
        // Threads of the start that have nothing more to do end within six seconds.
        sleep(8)
        let before = terminal.switches
        let seconds: UInt32 = 10
        sleep(seconds)
        let after = terminal.switches
        return Double(after.reduce(0) { $0 + $1.value - before[$1.key, default: 0] }) / Double(seconds)
    }
}

/// A text that differs in each letter from the 24 texts before it, and from all other texts on the screen: what stands at its
/// place already is not written again.
private func unlikeText(_ number: Int) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVXYZ")
    return String((0..<8).map { letters[(number * 7 + $0 * 3) % letters.count] })
}

extension [Double] {
    fileprivate var quantile95: Double { sorted()[Int(Double(count - 1) * 0.95)] }
}

/// `yap chat` on a pseudo-terminal whose output is searched.
@MainActor private final class ChatTerminal {
    private let process = Process()
    private let controller: Int32
    private let output = Output()

    init(_ url: URL, as name: String, with other: String, motion: String) throws {
        let own = try ownProgram()
        let yap = own.deletingLastPathComponent().appending(path: "yap")
        guard FileManager.default.isExecutableFile(atPath: yap.path) else {
            throw RawError("There is no \(yap.path): build the product yap in the same way first.")
        }
        var (controller, device): (Int32, Int32) = (-1, -1)
        guard openpty(&controller, &device, nil, nil, nil) == 0 else { throw RawError("There is no pseudo-terminal.") }
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
        self.controller = controller
        let terminal = FileHandle(fileDescriptor: device, closeOnDealloc: true)
        process.executableURL = yap
        process.arguments = ["chat", "--db", url.path, "--as", name, "--with", other, "--motion", motion]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
        ]) { $1 }
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = FileHandle.nullDevice
        try process.run()
        output.read(from: controller)
    }

    func send(_ keys: String) {
        output.forget()
        let bytes = Array(keys.utf8)
        _ = Glibc.write(controller, bytes, bytes.count)
    }

    /// Waits until a text was written since the last key.
    func wait(for text: String, times: Int = 1) throws {
        guard output.wait(for: Data(text.utf8), times) else { throw RawError("The chat did not show \"\(text)\".") }
    }

    /// The memory of the process, in megabytes.
    func memory() throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (line.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
    }

    /// How often each thread of the process has gone to sleep.
    var switches: [String: Int] {
        let folder = "/proc/\(process.processIdentifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.reduce(into: [:]) { switches, thread in
            let status = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            switches[thread] = line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }
    }

    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        close(controller)
    }
}

/// What a terminal has got since it was last forgotten.
private final class Output: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func read(from descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Glibc.read(descriptor, &buffer, buffer.count)
                if count <= 0 { return }
                bytes.withLock { $0 += buffer[..<count] }
            }
        }
    }

    func forget() { bytes.withLock { $0 = [] } }

    func wait(for text: Data, _ times: Int) -> Bool {
        let end = Time.passed + 20
        while Time.passed < end {
            var rest = Data(bytes.withLock { $0 })
            var found = 0
            while let range = rest.range(of: text) {
                found += 1
                rest = Data(rest[range.upperBound...])
            }
            if found >= times { return true }
            usleep(200)
        }
        return false
    }
}
