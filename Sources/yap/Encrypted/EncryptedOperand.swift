import FileReading
import Foundation
import PageCipher

/// Files that SQLCipher encrypted, as the operands of a command that only reads.
struct EncryptedOperand {
    private let settings: CipherSettings
    private let key: [UInt8]?

    static let options = [
        Option(
            name: "key-file", argument: "FILE",
            help: "The key of an encrypted file: one line, the passphrase or x'…'. Without it a terminal is asked."),
        Option(name: "key-fd", argument: "N", help: "Reads that line from a descriptor that is open already."),
        Option(
            name: "cipher", argument: "SETTINGS",
            help: "What its program set by SQLCipher's pragmas, such as kdf_iter=4000,cipher_page_size=8192."),
    ]

    /// For the help of a command.
    static let help = """
        A file that SQLCipher encrypted is read with its key, which --key-file, --key-fd or a question on the terminal gives;
        an argument or the environment would show it to others. A key is a passphrase, or x'…' with the 64 digits of a raw
        key or the 96 of a key and its salt, which a file with a plain header needs. The defaults of SQLCipher 4, 3, 2 and 1
        are tried, and every page size and authentication code. What a program set besides is named by --cipher:
        cipher_compatibility, cipher_page_size, kdf_iter, cipher_kdf_algorithm, cipher_hmac_algorithm, cipher_use_hmac,
        cipher_plaintext_header_size, cipher_salt, with the values of the pragmas. Nothing decrypted is written anywhere.
        """

    /// The most attempts at the terminal's question.
    private static let attempts = 3

    /// Reads the key that options name.
    /// - Throws: ``UsageError`` for options that contradict each other; ``Failure`` if the key cannot be read.
    init(_ options: ParsedOptions) throws {
        settings = try Self.settings(options)
        key = try Self.key(options)
    }

    /// Lets this process read the operand of a command that has one.
    static func unlock(_ path: String, _ options: ParsedOptions) throws {
        let operand = try EncryptedOperand(options)
        // What is neither encrypted nor a database is the command's to say.
        guard try !operand.unlock(path), operand.key != nil, (try? EncryptedFile.hasPlainHeader(path)) ?? false else {
            return
        }
        printError("\(path) is not encrypted. Its key is not needed.")
    }

    /// Lets this process read a file, whose key is asked for if no option has it.
    /// - Returns: false for a file that is not encrypted.
    /// - Throws: ``Failure`` if the key does not fit.
    @discardableResult func unlock(_ path: String) throws -> Bool {
        // What cannot be read is the command's to say.
        guard (try? EncryptedFile.isLikely(path)) ?? false || key != nil && settings.plaintextHeader != nil else {
            return false
        }
        if let key {
            try Self.unlock(path, key, settings)
            return true
        }
        var next = try Self.askedKey(for: path)
        for attempt in 1... {
            guard let key = next else { break }
            do {
                try Self.unlock(path, key, settings)
                break
            } catch let error as Failure where attempt < Self.attempts {
                printError(error.description)
                next = try Self.askedKey(for: path)
                if next == nil { throw error }
            }
        }
        return true
    }

    private static func unlock(_ path: String, _ key: [UInt8], _ settings: CipherSettings) throws {
        do {
            try EncryptedFile.unlock(path, key: FileKey(key), settings: settings)
        } catch let error as CipherError {
            if error.kind == .usage { throw UsageError(error.description) }
            throw Failure(error.description)
        }
    }

    private static func settings(_ options: ParsedOptions) throws -> CipherSettings {
        do {
            return try options["cipher"].map { try CipherSettings($0) } ?? CipherSettings()
        } catch let error as CipherError {
            throw UsageError(error.description)
        }
    }

    private static func key(_ options: ParsedOptions) throws -> [UInt8]? {
        guard options["key-file"] == nil || options["key-fd"] == nil else {
            throw UsageError("Either --key-file or --key-fd.")
        }
        if let path = options["key-file"] { return try KeyLine.ofFile(path) }
        guard let number = try options.number("key-fd") else { return nil }
        guard let descriptor = Int32(exactly: number), ![STDOUT_FILENO, STDERR_FILENO].contains(descriptor) else {
            throw UsageError("--key-fd takes the number of a descriptor to read from, not \(number).")
        }
        return try KeyLine.ofDescriptor(descriptor)
    }

    /// - Returns: nil if no terminal can be asked, or the answer is empty.
    private static func askedKey(for path: String) throws -> [UInt8]? {
        guard isatty(STDIN_FILENO) == 1 else { return try refuseUnreadable(path) }
        let answer = try SecretPrompt.ask("Key of \(TerminalSafe.line(path)): ", limit: KeyLine.limit)
        return answer?.isEmpty == false ? answer : try refuseUnreadable(path)
    }

    /// A file with a plain header looks like a damaged one. Others are refused, or searched for rows, without a key.
    private static func refuseUnreadable(_ path: String) throws -> [UInt8]? {
        guard try EncryptedFile.hasPlainHeader(path) else { return nil }
        throw Failure(
            "\(path) is encrypted behind its header. Give its key with --key-file or --key-fd: x'…' with 96 digits.")
    }
}
