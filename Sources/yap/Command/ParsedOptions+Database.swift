import Foundation

extension ParsedOptions {
    /// Returns `--db`: the file in which a screen keeps its data.
    ///
    /// - Throws: if no file can be there, before anything is created.
    func database() throws -> URL? {
        guard let path = self["db"] else { return nil }
        guard !["", "-", ":memory:"].contains(path) else {
            throw UsageError("--db takes the name of a file, not \"\(path)\".")
        }
        if let inWay = Self.fileInWay(of: path) {
            throw Failure("\(path) cannot be a database: \(inWay) is a file and no folder.")
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw Failure("\(path) cannot be a database: it is a folder. Name a file in it.")
        }
        return URL(filePath: path)
    }

    /// Returns the first of a path's parent folders that is not a folder.
    private static func fileInWay(of path: String) -> String? {
        var folder = path
        while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
            folder = String(folder[..<slash])
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) {
                return isFolder.boolValue ? nil : folder
            }
        }
        return nil
    }
}
