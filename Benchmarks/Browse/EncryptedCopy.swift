import CSQLite
import Foundation

/// A file as SQLCipher 4 encrypts it, made of a plain one: only SQLCipher itself could write it otherwise.
enum EncryptedCopy {
    static let pageSize = 4_096
    /// The bytes at a page's end: a vector and an authentication code.
    private static let reserved = 80
    private static let encryptionKey = [UInt8](0..<32)
    private static let salt = [UInt8](64..<80)

    /// The key in SQLCipher's form: no passphrase, whose derivation takes a fixed time.
    static var key: [UInt8] { Array("x'\((encryptionKey + salt).map { String(format: "%02x", $0) }.joined())'".utf8) }

    /// Gives a file the room at the end of its pages that encryption needs. Its log must be empty.
    static func reserve(in url: URL) throws {
        var handle: OpaquePointer?
        guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
            throw RawError("\(url.path) cannot be opened.")
        }
        defer { sqlite3_close_v2(handle) }
        var count = Int32(reserved)
        let sql = "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(pageSize);"
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK,
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &count) == SQLITE_OK,
            sqlite3_exec(handle, "VACUUM", nil, nil, nil) == SQLITE_OK
        else { throw RawError(handle) }
    }

    /// Encrypts every page of a file with reserved room.
    static func make(of url: URL, at target: URL) throws {
        let crypto = try Crypto()
        var authenticationKey = [UInt8](repeating: 0, count: 32)
        try crypto.derive(encryptionKey, salt.map { $0 ^ 0x3A }, into: &authenticationKey)
        let plain = try Data(contentsOf: url, options: .mappedIfSafe)
        var stored = Data(capacity: plain.count)
        for number in 1...plain.count / pageSize {
            let page = [UInt8](plain[(number - 1) * pageSize..<number * pageSize])
            let start = number == 1 ? salt.count : 0
            let vector = (0..<16).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
            let text = try crypto.encrypted(Array(page[start..<pageSize - reserved]), encryptionKey, vector)
            let little = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            let code = crypto.code(text + vector + little, authenticationKey)
            stored += (number == 1 ? salt : []) + text + vector + code
        }
        try stored.write(to: target)
    }
}

/// The functions of libcrypto that encrypt.
private struct Crypto {
    private typealias Make = @convention(c) () -> OpaquePointer?
    private typealias Free = @convention(c) (OpaquePointer?) -> Void
    private typealias Init =
        @convention(c) (
            OpaquePointer?, OpaquePointer?, OpaquePointer?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?
        ) -> Int32
    private typealias Pad = @convention(c) (OpaquePointer?, Int32) -> Int32
    private typealias Update =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?, UnsafePointer<UInt8>?, Int32
        ) -> Int32
    private typealias Mac =
        @convention(c) (
            OpaquePointer?, UnsafePointer<UInt8>?, Int32, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?,
            UnsafeMutablePointer<UInt32>?
        ) -> UnsafeMutablePointer<UInt8>?
    private typealias Derive =
        @convention(c) (
            UnsafePointer<UInt8>?, Int32, UnsafePointer<UInt8>?, Int32, Int32, OpaquePointer?, Int32,
            UnsafeMutablePointer<UInt8>?
        ) -> Int32

    private let library: UnsafeMutableRawPointer

    init() throws {
        let names: [String] = ["libcrypto.so.3", "libcrypto.so.1.1"]
        guard let library = names.lazy.compactMap({ (name: String) in dlopen(name, RTLD_NOW) }).first else {
            throw RawError("There is no libcrypto.")
        }
        self.library = library
    }

    private func function<Function>(_ name: String, _: Function.Type) -> Function {
        unsafeBitCast(dlsym(library, name), to: Function.self)
    }

    func encrypted(_ plain: [UInt8], _ key: [UInt8], _ vector: [UInt8]) throws -> [UInt8] {
        let context = function("EVP_CIPHER_CTX_new", Make.self)()
        defer { function("EVP_CIPHER_CTX_free", Free.self)(context) }
        var (text, count) = ([UInt8](repeating: 0, count: plain.count + 16), Int32(0))
        let cipher = function("EVP_aes_256_cbc", Make.self)()
        guard function("EVP_EncryptInit_ex", Init.self)(context, cipher, nil, key, vector) == 1,
            function("EVP_CIPHER_CTX_set_padding", Pad.self)(context, 0) == 1,
            function("EVP_EncryptUpdate", Update.self)(context, &text, &count, plain, Int32(plain.count)) == 1
        else { throw RawError("A page cannot be encrypted.") }
        return Array(text.prefix(plain.count))
    }

    func code(_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8] {
        var (code, size) = ([UInt8](repeating: 0, count: 64), UInt32(0))
        let hash = function("EVP_sha512", Make.self)()
        _ = function("HMAC", Mac.self)(hash, key, Int32(key.count), bytes, bytes.count, &code, &size)
        return code
    }

    func derive(_ secret: [UInt8], _ salt: [UInt8], into key: inout [UInt8]) throws {
        let hash = function("EVP_sha512", Make.self)()
        let derive = function("PKCS5_PBKDF2_HMAC", Derive.self)
        guard derive(secret, Int32(secret.count), salt, Int32(salt.count), 2, hash, Int32(key.count), &key) == 1 else {
            throw RawError("No key can be derived.")
        }
    }
}
