import Foundation

/// The programs of a PostgreSQL server on this machine, and the user who may run them.
public struct PostgreSQLPrograms: Sendable {
    public let folder: String
    /// Put before each command: the server refuses to run as root.
    let runner: [String]

    /// Nil if there is none: tests of the server are then skipped, and say so.
    public static let installed: PostgreSQLPrograms? = {
        let manager = FileManager.default
        let versions = ((try? manager.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? [])
            .sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        guard
            let folder = (versions + path).first(where: {
                manager.isExecutableFile(atPath: $0 + "/initdb") && manager.isExecutableFile(atPath: $0 + "/postgres")
            })
        else { return nil }
        guard getuid() == 0 else { return PostgreSQLPrograms(folder: folder, runner: []) }
        guard let user = ["postgres", "nobody"].lazy.compactMap({ (name: String) in getpwnam(name) }).first?.pointee
        else { return nil }
        let ids = ["--reuid=\(user.pw_uid)", "--regid=\(user.pw_gid)", "--clear-groups"]
        return PostgreSQLPrograms(folder: folder, runner: ["setpriv"] + ids)
    }()

    public static let skipMessage =
        "SKIPPED: there is no PostgreSQL server (initdb, postgres) on this machine. `./run test` installs it where it may."
}
