import FileEngine
import Foundation

/// A database that is being made gets its name when it is whole. Until then it has another one beside it, so there is never half a file, or an
/// empty one, under the name.
package enum UnfinishedFile {
    /// The name of a file of this process that is not finished. A killed process leaves it; it can be deleted.
    package static func path(for target: String) -> String { "\(target).unfinished-\(getpid())" }

    /// - Parameter advice: what to do, in a sentence.
    /// - Throws: ``YapDatabaseError`` with the code `cannotOpen` if something has the name, or that of a log beside it.
    package static func checkIsFree(_ target: String, _ advice: String) throws {
        for name in FileImport.names(target) where FileImport.isThere(name) {
            throw YapDatabaseError(.cannotOpen, "\(name) exists already. \(advice)")
        }
    }

    /// Gives a finished file, which is closed, its name, unless something has that by now.
    package static func finish(_ path: String, as target: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, fsync(descriptor) == 0, close(descriptor) == 0 else {
            throw YapDatabaseError(.inputOutput, "\(path) cannot be stored. Check the disk.")
        }
        if link(path, target) == 0 {
            unlink(path)
        } else if errno == EEXIST || FileImport.isThere(target) || rename(path, target) != 0 {
            throw YapDatabaseError(
                .cannotOpen, "\(path) cannot get the name \(target): \(String(cString: strerror(errno))).")
        }
    }

    /// Removes what is there of an unfinished file.
    /// - Throws: the error of the file system, if a part of it stays.
    package static func remove(_ path: String) throws {
        for name in FileImport.names(path) where FileImport.isThere(name) {
            try FileManager.default.removeItem(atPath: name)
        }
    }
}
