import Foundation
import LiveTable

/// Who else of the machine may use a chat's file. SQLite gives the files beside it, the log and its index, the rights of the file itself.
enum SharedFile {
    /// Makes a new file with its rights, before SQLite makes it with its own: for a group that is given, or whose the folder is (its files
    /// belong to that, by the bit `setgid`); for the user alone in the user's own data folder; otherwise as the umask says. A file that is
    /// there stays as it is.
    /// - Throws: ``CannotBeShared`` if a group is given and the file cannot be one of it.
    static func make(_ url: URL, group: String? = nil) throws {
        let folder = url.deletingLastPathComponent()
        let group = try group.map { try UserGroup(named: $0) }
        if let group { try makeFolder(folder, of: group, for: url) }
        let isOwn = folder.path == dataFolder.path && group == nil
        try makeFolders(folder, isOwn ? [.posixPermissions: 0o700] : [:])
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, isOwn ? 0o600 : 0o666)
        guard descriptor >= 0 else {
            if let group, access(url.path, F_OK) == 0, !isMade(by: { reach(of: url) == .group(group.name) }) {
                throw CannotBeShared(
                    "\(url.path) is there, and not one of the group \(group.name). Give another name, or share it: chgrp \(group.name) "
                        + "\(url.path.shellWord)* && chmod g+rw \(url.path.shellWord)*")
            }
            // SQLite says why a file cannot be made.
            return
        }
        defer { close(descriptor) }
        if group != nil || sharedGroup(ofFolder: folder) != nil { fchmod(descriptor, 0o660) }
    }

    private static func makeFolders(_ folder: URL, _ attributes: [FileAttributeKey: Any] = [:]) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: attributes)
        } catch {
            throw FolderIsMissing(folder: folder.path, reason: YapDatabaseError.words(of: error))
        }
    }

    /// SQLite makes files beside the database, which get the group of the folder.
    private static func makeFolder(_ folder: URL, of group: UserGroup, for url: URL) throws {
        try makeFolders(folder.deletingLastPathComponent())
        if mkdir(folder.path, 0o770) == 0 {
            if chown(folder.path, uid_t.max, group.id) == 0, chmod(folder.path, 0o2770) == 0 { return }
        } else if errno == EEXIST {
            if isMade(by: { sharedGroup(ofFolder: folder) == group.id }) { return }
            let new = folder.appending(path: group.name).appending(path: url.lastPathComponent).path.shellWord
            throw CannotBeShared(
                "The folder \(folder.path) is not one of the group \(group.name), and SQLite puts files beside the database. Give a folder "
                    + "that does not exist yet, which is made for the group: --db \(new) --group \(group.name.shellWord)"
            )
        }
        let reason = String(cString: strerror(errno))
        throw CannotBeShared("The folder \(folder.path) cannot be made for the group \(group.name): \(reason).")
    }

    /// Waits at most half a second until a file or folder has its rights: another process may be making it, which takes several calls.
    private static func isMade(by hasRights: () -> Bool) -> Bool {
        for _ in 0..<500 {
            if hasRights() { return true }
            usleep(1_000)
        }
        return false
    }

    /// What the system knows of a file; nil if there is none.
    private static func facts(of url: URL) -> stat? {
        var facts = stat()
        return stat(url.path, &facts) == 0 ? facts : nil
    }

    private static func factsWithFolder(of url: URL) -> (file: stat, folder: stat)? {
        guard let file = facts(of: url), let folder = facts(of: url.deletingLastPathComponent()) else { return nil }
        return (file, folder)
    }

    /// The group whose members may use the files of a folder, which belong to it; nil for none.
    private static func sharedGroup(ofFolder folder: URL) -> gid_t? {
        let wanted = S_ISGID | S_IWGRP
        return facts(of: folder).flatMap { $0.st_mode & wanted == wanted ? $0.st_gid : nil }
    }

    /// Who may take part in the chat of a file, as far as its rights say.
    static func reach(of url: URL) -> Reach {
        guard let (file, folder) = factsWithFolder(of: url) else { return .user }
        let rights = file.st_mode & folder.st_mode
        if rights & S_IWOTH != 0 { return .all }
        guard rights & S_IWGRP != 0, file.st_gid == folder.st_gid, folder.st_mode & S_ISGID != 0,
            let group = UserGroup(file.st_gid)
        else { return .user }
        return .group(group.name)
    }

    /// Who can read what is in a file, in a sentence.
    static func privacy(of url: URL) -> String {
        guard let (file, folder) = factsWithFolder(of: url),
            file.st_mode & S_IROTH == 0 || folder.st_mode & S_IXOTH == 0
        else { return "Not shown to others, but all who can open the file can read it." }
        guard file.st_mode & S_IRGRP != 0, folder.st_mode & S_IXGRP != 0, let group = UserGroup(file.st_gid) else {
            return "Only your account of this machine can read the file."
        }
        return "Not shown to others, but everyone in the group \(group.name) can read the file."
    }

    /// What helps a user who may not write the file of another one; nil if that is not what is wrong.
    static func refusal(of url: URL) -> NotShared? {
        guard let facts = facts(of: url), facts.st_uid != geteuid() else { return nil }
        let folder = url.deletingLastPathComponent().path
        guard access(url.path, R_OK | W_OK) != 0 || access(folder, W_OK | X_OK) != 0 else { return nil }
        let owner =
            getpwuid(facts.st_uid).flatMap { String(validatingCString: $0.pointee.pw_name) } ?? "\(facts.st_uid)"
        return NotShared(path: url.path, folder: folder, owner: owner)
    }
}

/// Who may take part in the chat of a file.
enum Reach: Hashable {
    case user
    case group(String)
    case all
}

/// The folder of a chat's file is not there and cannot be made.
struct FolderIsMissing: Error, CustomStringConvertible {
    let folder: String
    let reason: String
    var description: String {
        "The folder \(folder), in which the chat's file would be, cannot be made: \(reason). Name a file elsewhere: --db FILE"
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
