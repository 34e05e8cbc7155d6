import Foundation

/// Tells an export from a database.
enum ExportSources {
    /// Whether a path is a folder of an export, or a file whose first line is the head of one.
    static func isExport(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return false }
        if isFolder.boolValue { return FileManager.default.fileExists(atPath: path + "/" + ExportFolder.headName) }
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        let start = (try? file.read(upToCount: 7)) ?? Data()
        return start == Data(#"{"yap":"#.utf8)
    }
}
