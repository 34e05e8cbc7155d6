import Foundation

/// The attribute of a file by which also programs that have it open can write it no more. Setting it requires the superuser
/// and a file system that has it.
public enum ImmutableFlag {
    public static let isPossible: Bool = {
        do {
            try withTemporaryFolder { folder throws in
                let file = folder.appending(path: "file")
                try Data().write(to: file)
                try set(true, file)
                try set(false, file)
            }
            return true
        } catch { return false }
    }()

    public static func set(_ isSet: Bool, _ file: URL) throws {
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/chattr")
        program.arguments = [isSet ? "+i" : "-i", file.path]
        program.standardError = FileHandle.nullDevice
        try program.run()
        program.waitUntilExit()
        guard program.terminationStatus == 0 else { throw POSIXError(.EPERM) }
    }
}
