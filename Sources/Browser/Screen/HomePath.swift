import Foundation

/// Paths in short form.
enum HomePath {
    /// `~/backup/app.sqlite`
    static func shortened(_ path: String) -> String {
        let home = FileManager.default.homeDirectoryForCurrentUser.path
        guard home.count > 1, path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}
