import Foundation
import TerminalTesting

/// A user of the machine with no rights but everybody's.
enum OtherUser {
    private static let number = 65_534

    /// Whether the tests can become this user, and this user can run what was built.
    static let isPossible: Bool = {
        guard getuid() == 0, let program = try? builtProduct("yap") else { return false }
        let attempt = Process()
        attempt.executableURL = URL(filePath: "/bin/sh")
        attempt.arguments = ["-c", "\(command(home: URL(filePath: "/"))) \(program) --version > /dev/null 2>&1"]
        guard (try? attempt.run()) != nil else { return false }
        attempt.waitUntilExit()
        return attempt.terminationStatus == 0
    }()

    /// What stands before a command that this user runs.
    /// - Parameter group: the number of a group of which the user is, too.
    static func command(home: URL, group: gid_t? = nil) -> String {
        "setpriv --reuid=\(number) --regid=\(number) \(group.map { "--groups=\($0)" } ?? "--clear-groups") "
            + "env HOME=\(home.path)"
    }
}
