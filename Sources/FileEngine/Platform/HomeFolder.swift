import Foundation

/// The user's home folder: `$HOME`, which a user can set for one program, or else that of the system's list of users.
package var homeFolder: URL {
    guard let home = ProcessInfo.processInfo.environment["HOME"], home.hasPrefix("/") else {
        return FileManager.default.homeDirectoryForCurrentUser
    }
    return URL(filePath: home)
}
