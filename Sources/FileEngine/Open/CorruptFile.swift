import Foundation

/// What becomes of a damaged file where the options ask for a fresh start.
enum CorruptFile {
    /// What stands beside the file goes with it: a log that stays behind would be played into the new file.
    private static let suffixes = ["", "-wal", "-shm"]

    static func set(aside path: String, by action: FileOptions.CorruptAction) throws {
        let spare = action == .rename ? sparePath(path) : nil
        for suffix in suffixes where FileManager.default.fileExists(atPath: path + suffix) {
            if let spare {
                try FileManager.default.moveItem(atPath: path + suffix, toPath: spare + suffix)
            } else {
                try FileManager.default.removeItem(atPath: path + suffix)
            }
        }
    }

    private static func sparePath(_ path: String) -> String {
        var number = 0
        while FileManager.default.fileExists(atPath: "\(path).\(number).corrupt") { number += 1 }
        return "\(path).\(number).corrupt"
    }
}
