import Foundation
import LiveTable

/// Texts that were sent and are not in the chat's file yet, each as a small file: what ends the program, or keeps the chat's file from being
/// written, does not lose them.
///
/// A text is written here when Enter is pressed, before anything waits for the chat's file. When it was stored, or waits in the chat's file,
/// its file is removed.
struct UnsentFiles: Sendable {
    /// The largest file that is read; a text has at most 10,000 characters.
    private static let maxBytes = Sending.maxBytes
    /// The most files that are looked at in a folder.
    private static let maxFiles = 10_000

    /// The first that can be written is used.
    private let folders: [String]
    /// The path of the chat's file.
    private let path: String

    private struct Content: Codable {
        let file: String
        let sending: Sending
    }

    /// - Parameters:
    ///   - path: the chat's file.
    ///   - folders: those of the user: `$XDG_STATE_HOME/yap/unsent`, and one in memory for a disk that is full.
    init(of path: String, in folders: [String] = UnsentFiles.folders) {
        self.path = path
        self.folders = folders
    }

    private static var folders: [String] {
        let state = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return [
            (state ?? homeFolder.appending(path: ".local/state").path) + "/yap/unsent",
            "/dev/shm/yap-unsent-\(geteuid())",
        ]
    }

    /// Keeps a text. Returns whether it is in a file.
    func keep(_ sending: Sending) -> Bool {
        guard let bytes = try? JSONEncoder().encode(Content(file: path, sending: sending)) else { return false }
        return folders.contains { write(bytes, to: $0, sending.id) }
    }

    func has(_ id: String) -> Bool { folders.contains { access("\($0)/\(id).json", F_OK) == 0 } }

    func remove(_ id: String) { for folder in folders { unlink("\(folder)/\(id).json") } }

    /// What a person has left unsent in the chat's file, from the first text on.
    func load(of person: String) -> [Sending] {
        let found = folders.filter(Self.isOwn).flatMap { folder -> [Sending] in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.prefix(Self.maxFiles).compactMap { name in
                guard name.hasSuffix(".json"), let content = Self.read("\(folder)/\(name)"), content.file == path,
                    content.sending.person == person, name == "\(content.sending.id).json"
                else { return nil }
                return content.sending
            }
        }
        return found.sorted { $0.date < $1.date }
    }

    private func write(_ bytes: Data, to folder: String, _ id: String) -> Bool {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard Self.isOwn(folder) else { return false }
        // Under another name first: a full disk leaves no half of a text.
        let (new, place) = ("\(folder)/\(id).new", "\(folder)/\(id).json")
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        guard close(descriptor) == 0, count == bytes.count, rename(new, place) == 0 else {
            unlink(new)
            return false
        }
        return true
    }

    private static func read(_ path: String) -> Content? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= maxBytes else {
            return nil
        }
        let bytes = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readData(ofLength: maxBytes)
        return try? JSONDecoder().decode(Content.self, from: bytes)
    }

    /// Whether a folder is the user's alone: in `/dev/shm` others may make one of that name.
    private static func isOwn(_ folder: String) -> Bool {
        var facts = stat()
        return lstat(folder, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR && facts.st_uid == geteuid()
            && facts.st_mode & 0o022 == 0
    }
}
