import FileEngine
import Foundation
import PageCipher
import SQLiteBridge

/// Files that SQLCipher wrote.
package enum EncryptedFile {
    /// Attempts while another program writes to the beginning of the file.
    private static let attemptLimit = 5

    /// Whether a file may be encrypted: no other program can tell without the key.
    /// - Throws: ``YapDatabaseError`` if it cannot be read.
    package static func isLikely(_ path: String) throws -> Bool {
        try stored(TracelessRead.target(of: path)).looksEncrypted
    }

    /// Whether a file begins as SQLite files do.
    package static func hasPlainHeader(_ path: String) throws -> Bool {
        try stored(TracelessRead.target(of: path)).hasPlainHeader
    }

    /// Makes everything in this process read the plain pages of a file from now on. Nothing decrypted is written anywhere.
    ///
    /// Takes 0.2 s by the defaults of SQLCipher 4, and 0.3 s for a wrong passphrase.
    /// - Throws: ``CipherError``; ``YapDatabaseError`` if the file cannot be read.
    package static func unlock(_ path: String, key: FileKey, settings: CipherSettings = CipherSettings()) throws {
        let path = TracelessRead.target(of: path)
        for attempt in 1... {
            let before = FileState(path)
            do {
                let cipher = try Unlocking.cipher(of: stored(path), key: key, settings: settings)
                let parameters = cipher.parameters
                let decoder = PageDecoder(pageSize: parameters.pageSize, reserved: parameters.reserved) {
                    cipher.decrypt($0, $1, into: $2)
                }
                known.withLock { $0[path] = (key, settings) }
                return PageDecoders.set(decoder, of: path)
            } catch let error as CipherError where error.kind == .wrongKey {
                // What was read may be half of a change.
                guard attempt < attemptLimit, FileState(path) != before else { throw error }
            }
        }
    }

    /// What unlocked each file. Its program may encrypt it with another salt, or with none for a while, and keep the key.
    private static let known = Locked<[String: (key: FileKey, settings: CipherSettings)]>([:])

    /// Looks again at how a file is stored, after it could not be read, and tries the key that fitted before. The process has no locks on the file
    /// afterwards.
    /// - Returns: false if the file was never unlocked, or is stored plainly and was so before; then its damage has another cause.
    /// - Throws: ``YapDatabaseError`` with the code `cannotOpen` if the key does not fit any more, or if the file cannot be read.
    static func unlockAgain(_ path: String) throws -> Bool {
        let path = TracelessRead.target(of: path)
        guard let (key, settings) = known.withLock({ $0[path] }) else { return false }
        let file = try stored(path)
        if file.hasPlainHeader, !file.looksEncrypted {
            guard isUnlocked(path) else { return false }
            PageDecoders.set(nil, of: path)
            return true
        }
        do {
            try unlock(path, key: key, settings: settings)
            return true
        } catch is CipherError {
            throw keyWasChanged(path)
        }
    }

    /// Whether page 1 was found damaged, though the key fits that of the file: then its newest copy in the log, of which SQLite has checked the
    /// sums, was written with another key.
    static func isKeyOfLogUnknown(_ path: String) -> Bool {
        FileState(path).hasLog && PageDecoders.decoder(of: path)?.lastDamagedPage == 1
    }

    static func keyWasChanged(_ path: String) -> YapDatabaseError {
        YapDatabaseError(
            .cannotOpen,
            "The key no longer fits \(path): its app has probably changed it. Open the file again, with the new key.")
    }

    /// Whether a file was unlocked in this process.
    package static func isUnlocked(_ path: String) -> Bool { PageDecoders.decoder(of: path) != nil }

    /// Returns the pages whose newest copy has not the authentication code that belongs to it. Reads the whole file.
    /// - Returns: empty for a file that is not encrypted, or whose pages have no such codes.
    package static func damagedPages(_ path: String) throws -> [Int] {
        let path = TracelessRead.target(of: path)
        guard isUnlocked(path) else { return [] }
        let found = try damaged(path, among: nil)
        if found.isEmpty { return [] }
        // A page that another program is writing is whole a moment later.
        usleep(pauseForWriter)
        return try damaged(path, among: found)
    }

    /// Microseconds.
    private static let pauseForWriter: UInt32 = 100_000

    private static func damaged(_ path: String, among numbers: [Int]?) throws -> [Int] {
        let store = try Store(path: path, mode: .readOnlyAlone, busyTimeout: 0)
        guard let pages = FilePages(store) else { return [] }
        return numbers?.filter(pages.isDamaged) ?? (1...max(1, pages.count)).filter(pages.isDamaged)
    }

    /// Reads only the beginning. The file is not open in this process, whose locks on it would end when this is closed.
    private static func stored(_ path: String) throws -> StoredFile {
        _ = try TracelessRead.existing(path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw YapDatabaseError(.cannotOpen, "\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        let start = [UInt8](unsafeUninitializedCapacity: StoredFile.startSize) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return StoredFile(path: path, start: start)
    }
}
