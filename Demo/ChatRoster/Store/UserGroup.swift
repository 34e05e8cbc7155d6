import Foundation

/// A group of the machine's users.
struct UserGroup {
    let name: String
    let id: gid_t

    init?(_ id: gid_t) {
        guard let found = getgrgid(id), let name = String(validatingCString: found.pointee.gr_name) else { return nil }
        (self.name, self.id) = (name, id)
    }

    /// - Throws: ``CannotBeShared`` if there is no such group, or the user is not in it.
    init(named name: String) throws {
        let mine = Self.ofUser
        guard let found = getgrnam(name) else {
            throw CannotBeShared("There is no group \"\(name)\". \(Self.list(mine))")
        }
        (self.name, id) = (name, found.pointee.gr_gid)
        let id = id
        guard geteuid() == 0 || mine.contains(where: { $0.id == id }) else {
            throw CannotBeShared("You are not in the group \"\(name)\". \(Self.list(mine))")
        }
    }

    /// The groups that the user is in, the primary one first.
    static var ofUser: [UserGroup] {
        var ids = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(Int32(ids.count), &ids)
        let others = ids.prefix(Int(max(0, count))).filter { $0 != getegid() }
        return ([getegid()] + others).compactMap { UserGroup($0) }
    }

    /// A group that the user shares with other users, as far as the machine's list of groups says.
    static var shared: UserGroup? { ofUser.dropFirst().first { $0.hasOthers } ?? ofUser.first { $0.hasOthers } }

    private var hasOthers: Bool {
        guard let members = getgrgid(id)?.pointee.gr_mem else { return false }
        let me = getpwuid(geteuid()).flatMap { String(validatingCString: $0.pointee.pw_name) }
        var place = members
        while let member = place.pointee {
            if String(validatingCString: member) != me { return true }
            place += 1
        }
        return false
    }

    private static func list(_ groups: [UserGroup]) -> String {
        "You are in: \(groups.map(\.name).joined(separator: ", "))."
    }
}

/// That a file cannot be one of a group.
struct CannotBeShared: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
