import Foundation
import PostgreSQLTesting
import TerminalTesting
import TestSupport
import Testing

/// People type into windows, two on one file and two on hosts of a server, while the disk of the file is full for a while, the server is killed
/// for a while, and a chat is killed in each of these. `./run soak` goes on for ten minutes.
@Suite(.needsPostgreSQL, .enabled(if: TinyDisk.isPossible, "a disk of its own needs the superuser"), .serialized)
struct ChatOutageTests {
    private static let seconds =
        ProcessInfo.processInfo.environment["YAP_SOAK_SECONDS"].flatMap(Double.init) ?? 5
    /// How long the disk is full and how long the server is away.
    private static let outage = min(60, seconds / 5)

    @Test func whatWasTypedAndSentIsThereOnceInEveryWindow() async throws {
        try await TinyDisk.with(megabytes: Self.seconds > 60 ? 256 : 24) { disk in
            try await withTemporaryFolder { folder in
                let server = try PostgreSQLServer(settings: PostgreSQLServer.survivesKills)
                defer { server.stop() }
                #expect(try YapRun(["server", "init", "--space", "chat", server.address()]).code == 0)
                let file = "--db \(disk.path)/chat.sqlite"
                let space = { (host: String) in "--db \(folder.path)/\(host).sqlite --server '\(server.address())'" }
                let states = "XDG_STATE_HOME=\(disk.path)/state"
                let onFile = [
                    try await Typist("alice", file, states), try await Typist("bob", file, states),
                ]
                let onServer = [
                    try await Typist("carol", space("carol"), ""), try await Typist("dan", space("dan"), ""),
                ]
                try await talk(onFile, onServer, fill: disk, server)
                for group in [onFile, onServer] { try await expectEverything(in: group) }
            }
        }
    }

    /// All type on, whatever happens.
    private func talk(
        _ onFile: [Typist], _ onServer: [Typist], fill disk: URL, _ server: PostgreSQLServer
    ) async throws {
        let filler = disk.appending(path: "filler")
        let (first, second) = (Self.seconds / 5, Self.seconds * 3 / 5)
        let events: [(Double, () async throws -> Void)] = [
            (first, { try Self.fill(filler) }), (first + Self.outage / 2, { try await onFile[1].kill() }),
            (first + Self.outage, { try FileManager.default.removeItem(at: filler) }),
            // A chat does not start where nothing can be written.
            (first + Self.outage, { try await onFile[1].start() }),
            (second, { try server.kill() }), (second + Self.outage / 2, { try await onServer[1].kill() }),
            (second + Self.outage / 2, { try await onServer[1].start() }),
            (second + Self.outage, { try server.start() }),
        ]
        let start = ContinuousClock.now
        var due = events[...]
        // Time is the subject: the chats go on for so many seconds, and each outage has its own.
        while .now - start < .seconds(Self.seconds) || !due.isEmpty {
            if let (time, event) = due.first, .now - start >= .seconds(time) {
                due.removeFirst()
                try await event()
            }
            for typist in onFile + onServer { try await typist.say() }
        }
    }

    /// Leaves no room on a disk.
    private static func fill(_ filler: URL) throws {
        let descriptor = open(filler.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        for size in [1 << 16, 1 << 12, 1] {
            let bytes = [UInt8](repeating: 1, count: size)
            while write(descriptor, bytes, size) == size {}
        }
        #expect(errno == ENOSPC)
    }

    /// Each window finds as many lines as were typed in all of them, and each file has each of them once.
    private func expectEverything(in group: [Typist]) async throws {
        let typed = group.flatMap(\.typed)
        print("\(group.map { "\($0.name): \($0.typed.count) lines" }.joined(separator: ", "))")
        for typist in group {
            try await typist.shell.wait(for: "All is sent") { lines in
                !lines.contains {
                    $0.contains("not sent") || $0.contains("sending:") || $0.contains(/outageline [a-z]+ [0-9]+ ○/)
                }
            }
        }
        for typist in group {
            try await typist.shell.press("C-r", "outageline")
            try await typist.shell.shows("\(typed.count) found")
            try await typist.shell.press("Escape", "C-c")
            try await typist.shell.expectEnd(exitCode: 0)
            let export = try output(
                ["chat", "export", "--json", "--with", "#soak", "--as", typist.name, "--db", typist.file])
            let texts = export.matches(of: /"text":"(outageline [^"]*)"/).map { String($0.1) }
            #expect(Set(texts) == Set(typed), "\(typist.name)")
            #expect(texts.count == typed.count, "\(typist.name)")
            // Of each one in the order in which they were typed.
            for author in group { #expect(texts.filter(author.typed.contains) == author.typed, "\(author.name)") }
            #expect(try check([typist.file]).code == 0)
        }
    }
}

/// One who types into a window.
private final class Typist {
    let name: String
    let file: String
    private(set) var typed: [String] = []
    private(set) var shell: YapShell
    private var isRunning = true
    private let arguments: String
    private let environment: String

    init(_ name: String, _ place: String, _ environment: String) async throws {
        (self.name, self.environment) = (name, environment)
        file = String(place.split(separator: " ")[1])
        arguments = "chat \(place) --as \(name) --with '#soak'"
        shell = try await Self.start(arguments, environment)
    }

    private static func start(_ arguments: String, _ environment: String) async throws -> YapShell {
        let shell = try await YapShell(arguments, width: 80, height: 24)
        try shell.start(environment: environment)
        try await shell.composer("›")
        return shell
    }

    func say() async throws {
        guard isRunning else { return }
        let line = "outageline \(name) \(typed.count)"
        try await shell.press(line, "Enter")
        typed.append(line)
    }

    func kill() async throws {
        isRunning = false
        try await shell.kill()
    }

    func start() async throws {
        shell = try await Self.start(arguments, environment)
        isRunning = true
    }
}
