import CSpawn
import Foundation
import TestSupport

/// A PostgreSQL server of a test's own, in a temporary folder, on a Unix socket, and on a port of the loopback if asked
/// for.
///
/// It ends with the test's process, however that ends: a shell beside it waits for the end of a pipe.
public final class PostgreSQLServer: @unchecked Sendable {
    // @unchecked: tests start and stop it from one thread at a time.

    public let folder: URL
    private let programs: PostgreSQLPrograms
    private let settings: [String]
    /// The shell, which ends the server at the end of the pipe.
    private var process: pid_t?
    private var lifeline: Int32 = -1

    /// The server that most tests share, started at the first use. It writes nothing through to the disk.
    public static let shared = Result { try PostgreSQLServer() }

    /// Settings for a server that is killed while the machine stays: it need not wait for the disk. One that is killed while it
    /// writes a page leaves half of it, which only whole pages in the log mend.
    public static let survivesKills = ["synchronous_commit=on", "full_page_writes=on"]

    /// - Parameters:
    ///   - isDurable: whether commits wait for the disk.
    ///   - settings: further settings, such as `max_connections=300`.
    ///   - parent: where its folder is made; the server's user must be able to. Unless commits wait for the disk, it is made
    ///     in memory, where there is room: a new server writes a thousand files.
    public init(isDurable: Bool = false, settings: [String] = [], in parent: URL? = nil) throws {
        guard let programs = PostgreSQLPrograms.installed else {
            throw Failure(description: PostgreSQLPrograms.skipMessage)
        }
        self.programs = programs
        self.settings = (isDurable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]) + settings
        let parent = parent ?? (isDurable ? nil : Self.memory) ?? FileManager.default.temporaryDirectory
        folder = parent.appending(path: "yap-pg-\(UUID().uuidString.prefix(8))")
        // The server's user makes the folder, so that it is its own.
        let make = "mkdir -m 755 '\(folder.path)' && cd '\(folder.path)' && "
        if let cluster = try template() {
            try shell(make + "cp -R '\(cluster.path)' data")
        } else {
            try shell(make + initdb("data"))
        }
        try start()
    }

    /// The command that makes a cluster.
    private func initdb(_ data: String) -> String {
        "'\(programs.folder)/initdb' -D '\(data)' -A trust -U postgres -E UTF8 --locale=C --no-sync >initdb.log 2>&1"
    }

    /// A cluster that all processes of a run copy: making one takes ten times as long. Nil without a runner, which removes it.
    private func template() throws -> URL? {
        guard let path = ProcessInfo.processInfo.environment["YAP_RUN_FOLDER"] else { return nil }
        let run = URL(filePath: path, directoryHint: .isDirectory)
        let cluster = run.appending(path: "cluster")
        let lock = open(run.appending(path: "cluster.lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Failure(description: "\(run.path): \(String(cString: strerror(errno)))") }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure(description: String(cString: strerror(errno))) }
        }
        // Whole only under its last name.
        let whole = "[ -e cluster ] || { \(initdb("unfinished")) && mv unfinished cluster; }"
        try shell("cd '\(run.path)' && rm -rf unfinished && \(whole)")
        return cluster
    }

    /// A folder in memory that has room for several servers.
    private static let memory: URL? = {
        let folder = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
        let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
        return free > 4 << 30 ? folder : nil
    }()

    /// A copy of another server, which follows that one's log.
    public init(standbyOf primary: PostgreSQLServer, name: String) throws {
        programs = primary.programs
        settings = primary.settings + ["cluster_name=\(name)"]
        folder = primary.folder.deletingLastPathComponent().appending(path: "yap-pg-\(UUID().uuidString.prefix(8))")
        try shell(
            """
            mkdir -m 755 '\(folder.path)' && cd '\(folder.path)' && '\(programs.folder)/pg_basebackup' -h '\(primary.folder.path)' \
            -U postgres -D data -R -X stream -c fast --no-sync >backup.log 2>&1
            """)
        try start()
    }

    /// Makes a standby the primary.
    public func promote() throws {
        try shell("cd '\(folder.path)'; '\(programs.folder)/pg_ctl' promote -D data -w >>server.log 2>&1")
    }

    deinit { stop() }

    /// Starts the server and waits until it answers. What is left of a killed one may keep its memory for a moment:
    /// then it is started again.
    public func start() throws {
        for _ in 0..<50 {
            try startOnce()
            try waitUntil("the server answers, or ends") { isReady || hasEnded }
            if !hasEnded { return }
            halt()
            // The kernel tells no one when it frees that memory.
            usleep(200_000)
        }
        throw Failure(
            description: "The server does not start: \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
    }

    private func startOnce() throws {
        try? FileManager.default.removeItem(at: pidFile)
        // What its processes share is in its folder: a server that is killed leaves it where it is.
        let usual = [
            "listen_addresses=", "unix_socket_directories=\(folder.path)", "max_connections=200",
            "dynamic_shared_memory_type=mmap",
        ]
        let options = (usual + settings).map { "-c '\($0)'" }.joined(separator: " ")
        let started = try spawn(
            """
            cd '\(folder.path)'; rm -f data/postmaster.pid; exec 3<&0; '\(programs.folder)/postgres' -D data \(options) \
            </dev/null 3<&- >>server.log 2>&1 & echo $! >pid; read word <&3; kill -QUIT $! 2>/dev/null; wait $!; \
            [ "$word" = keep ] || rm -rf '\(folder.path)'
            """)
        (process, lifeline) = (started.process, started.input)
    }

    private var log: URL { folder.appending(path: "server.log") }
    /// Written by the shell, with the number of the server's process.
    private var pidFile: URL { folder.appending(path: "pid") }

    /// The server's process, once the shell has started it.
    private var pid: Int? {
        let text = try? String(contentsOf: pidFile, encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    private var hasEnded: Bool {
        guard let pid else { return false }
        // The shell has not waited for it yet.
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return true }
        return status.contains(") Z ")
    }

    /// Ends it at once and waits; what is on the disk stays for ``start()``.
    public func halt() {
        if lifeline >= 0 {
            _ = write(lifeline, "keep\n", 5)
            close(lifeline)
        }
        if let process { _ = Self.end(of: process) }
        (process, lifeline) = (nil, -1)
        // The server removes it as the last thing.
        try? waitUntil("the server has ended") {
            !FileManager.default.fileExists(atPath: socket + ".lock")
        }
    }

    /// Kills the server as `kill -9` does, with all its processes: one that is left would keep the memory that the next start
    /// wants. The system keeps the segment by which a server knows that no other has its folder (the seventh line of the file of its
    /// process), and has room for 4,096 of them.
    public func kill() throws {
        try shell(
            """
            data='\(folder.path)/data'; segment=$(sed -n '7s/.* //p' "$data/postmaster.pid" 2>/dev/null); found=yes; while [ -n "$found" ]; do found=; \
            kill -9 $(head -n 1 "$data/postmaster.pid" 2>/dev/null) 2>/dev/null; \
            for one in /proc/[0-9]*; do [ "$(readlink $one/cwd)" = "$data" ] || continue; \
            grep -q ') Z ' $one/stat 2>/dev/null && continue; kill -9 ${one#/proc/} 2>/dev/null && found=yes; done; done; \
            [ -z "$segment" ] || ipcrm -m "$segment" 2>/dev/null; rm -f "$data/postmaster.pid" '\(folder.path)'/.s.PGSQL.*
            """)
        halt()
    }

    /// Stops all its processes, or lets them go on: the system still takes connections and bytes for it, and no one answers.
    public func setHanging(_ hangs: Bool) throws {
        try shell(
            """
            for one in /proc/[0-9]*; do [ "$(readlink $one/cwd)" != '\(folder.path)/data' ] || \
            kill -\(hangs ? "STOP" : "CONT") ${one#/proc/}; done
            """)
    }

    /// Ends it and removes the folder.
    public func stop() {
        halt()
        try? shell("rm -rf '\(folder.path)'")
    }

    /// libpq's connection string for a role.
    public func address(user: String = "postgres") -> String { "host=\(folder.path) user=\(user) dbname=postgres" }

    /// The path of the socket.
    public var socket: String { folder.path + "/.s.PGSQL.5432" }

    /// Runs a command of the shell as the server's user.
    public func shell(_ text: String) throws {
        let (process, input) = try spawn(text)
        close(input)
        let status = Self.end(of: process)
        guard status == 0 else { throw Failure(description: "This failed with status \(status): \(text)") }
    }

    /// Starts a shell with a pipe as its input. It inherits no other descriptor: otherwise a test that waits for the
    /// end of a pipe would also wait for the end of this server.
    private func spawn(_ text: String) throws -> (process: pid_t, input: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(description: "There are no descriptors left.") }
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var arguments = (["env"] + programs.runner + ["sh", "-c", "cd /; " + text]).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, "/usr/bin/env", &actions, nil, &arguments, environ)
        guard error == 0 else {
            throw Failure(description: "A shell does not start: \(String(cString: strerror(error)))")
        }
        return (process, ends[1])
    }

    private static func end(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// Not what an earlier server left behind.
    private var isReady: Bool {
        guard let pid,
            let status = try? String(contentsOf: folder.appending(path: "data/postmaster.pid"), encoding: .utf8)
        else { return false }
        return status.hasPrefix("\(pid)\n") && (status.contains("ready") || status.contains("standby"))
    }
}

/// A server that could not be made or started.
private struct Failure: Error, CustomStringConvertible {
    let description: String
}
