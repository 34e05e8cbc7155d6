import Foundation
import LiveTable

/// Who else of the machine may use a chat's file. SQLite gives the files beside it, the log and its index, the rights of the file itself.
enum SharedFile {
    /// Makes a new file with its rights, before SQLite makes it with its own: for the group where `isForGroup`, or where the folder is one
    /// of a group (its files belong to that, by the bit `setgid`); for the user alone in the user's own data folder; otherwise as the
    /// umask says. A file that is there stays as it is.
    static func make(_ url: URL, isForGroup: Bool) throws {
        let folder = url.deletingLastPathComponent()
        let isOwn = folder.path == dataFolder.path && !isForGroup
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: isOwn ? [.posixPermissions: 0o700] : [:])
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, isOwn ? 0o600 : 0o666)
        // SQLite says why a file cannot be made.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if isForGroup || isOfGroup(folder) { fchmod(descriptor, 0o660) }
    }

    private static func isOfGroup(_ folder: URL) -> Bool {
        var facts = stat()
        let wanted = S_ISGID | S_IWGRP
        return stat(folder.path, &facts) == 0 && facts.st_mode & wanted == wanted
    }

    /// What helps a user who may not write the file of another one; nil if that is not what is wrong.
    static func refusal(of url: URL) -> NotShared? {
        var facts = stat()
        guard stat(url.path, &facts) == 0, facts.st_uid != geteuid() else { return nil }
        let folder = url.deletingLastPathComponent().path
        guard access(url.path, R_OK | W_OK) != 0 || access(folder, W_OK | X_OK) != 0 else { return nil }
        let owner =
            getpwuid(facts.st_uid).flatMap { String(validatingCString: $0.pointee.pw_name) } ?? "\(facts.st_uid)"
        return NotShared(path: url.path, folder: folder, owner: owner)
    }
}

/// That a chat's file is another user's, who has not shared it.
struct NotShared: Error, CustomStringConvertible {
    let path: String
    let folder: String
    let owner: String

    var description: String {
        "\(path) belongs to \(owner), and you may not write it or its folder, which a chat must. \(owner) shares it with a group of which you "
            + "both are: chgrp GROUP \(folder) \(path)* && chmod g+rwxs \(folder) && chmod g+rw \(path)*"
    }
}
