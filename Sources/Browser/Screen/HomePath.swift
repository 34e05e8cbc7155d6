import Foundation

/// Paths as people write them.
enum HomePath {
    /// `~/backup/app.sqlite`
    static func shortened(_ path: String) -> String {
        let home = FileManager.default.homeDirectoryForCurrentUser.path
        guard home.count > 1, path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}
