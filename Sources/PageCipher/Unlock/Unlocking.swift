/// Finds the parameters with which a key decrypts a file.
///
/// A page's authentication code tells whether key and parameters fit. Deriving a key is slow by design; all else is quick and is tried.
package struct Unlocking {
    private let file: StoredFile
    private let key: FileKey
    private let settings: CipherSettings
    private let salt: [UInt8]
    /// Whether the size of the plain header was given, not guessed.
    private let isHeaderSet: Bool
    private var keys: [Derivation: DerivedKey] = [:]

    private struct Derivation: Hashable {
        let hash: HashFunction
        let iterations: Int
    }

    /// - Returns: what decrypts the pages. Page 1 may be damaged.
    /// - Throws: ``CipherError``.
    package static func cipher(of file: StoredFile, key: FileKey, settings: CipherSettings) throws -> PageCipher {
        var unlocking = try Unlocking(file, key, settings)
        return try unlocking.run()
    }

    private init(_ file: StoredFile, _ key: FileKey, _ settings: CipherSettings) throws {
        self.file = file
        self.key = key
        var settings = settings
        isHeaderSet = settings.plaintextHeader != nil
        if !isHeaderSet, file.hasPlainHeader { settings.plaintextHeader = Self.usualHeader }
        self.settings = settings
        var given = settings.salt
        if case .raw(_, let salt?) = key { given = given ?? salt }
        if let given {
            salt = given
        } else {
            guard !file.hasPlainHeader else {
                throw CipherError(
                    .usage,
                    "The beginning of \(file.path) is not encrypted, so its salt is not in the file: give the key as x'…' with 96 "
                        + "digits, or --cipher cipher_salt=x'…'.")
            }
            salt = Array(file.start.prefix(CipherParameters.saltSize))
        }
    }

    /// On iOS an app may keep a file that it shares open in the background only if the system sees that it is SQLite's.
    private static let usualHeader = 32

    private mutating func run() throws -> PageCipher {
        for parameters in settings.candidates {
            let cipher = try PageCipher(derived(parameters), parameters)
            if cipher.fitsFirstPage(in: file) { return cipher }
        }
        if let cipher = try firstVariation(of: settings, where: { $0.fitsFirstPage(in: $1) }) {
            var given = settings
            if !isHeaderSet { given.plaintextHeader = nil }
            guard given.agree(with: cipher.parameters) else { throw wrongSetting(cipher.parameters) }
            return cipher
        }
        for parameters in settings.candidates {
            let cipher = try PageCipher(derived(parameters), parameters)
            if cipher.fitsOtherPage(in: file) { return cipher }
        }
        if let cipher = try firstVariation(of: settings, where: { $0.fitsOtherPage(in: $1) }) {
            guard settings.agree(with: cipher.parameters) else { throw wrongSetting(cipher.parameters) }
            return cipher
        }
        // What the key is made with may be set wrongly.
        var defaults = settings
        (defaults.version, defaults.keyHash, defaults.iterations) = (nil, nil, nil)
        if defaults != settings,
            let cipher = try firstVariation(of: defaults, where: { $0.fitsFirstPage(in: $1) })
        {
            throw wrongSetting(cipher.parameters)
        }
        throw wrongKey
    }

    private mutating func derived(_ parameters: CipherParameters) throws -> DerivedKey {
        let derivation = Derivation(hash: parameters.keyHash, iterations: parameters.iterations)
        if let known = keys[derivation] { return known }
        let made = try DerivedKey(key, salt: salt, hash: derivation.hash, iterations: derivation.iterations)
        keys[derivation] = made
        return made
    }

    /// Other page sizes, authentication codes and headers with the same keys.
    private mutating func firstVariation(
        of settings: CipherSettings, where fits: (PageCipher, StoredFile) -> Bool
    ) throws -> PageCipher? {
        let others = CipherParameters.plaintextHeaders.filter { $0 > 0 && $0 != settings.plaintextHeader }
        let headers = file.hasPlainHeader ? [settings.plaintextHeader ?? Self.usualHeader] + others : [0]
        for candidate in settings.candidates {
            let key = try derived(candidate)
            for authentication in HashFunction.allCases.reversed() + [nil] {
                for pageSize in CipherParameters.pageSizes {
                    for header in headers {
                        var parameters = candidate
                        (parameters.pageSize, parameters.authentication) = (pageSize, authentication)
                        parameters.plaintextHeader = header
                        let cipher = try PageCipher(key, parameters)
                        if fits(cipher, file) { return cipher }
                    }
                }
            }
        }
        return nil
    }

    private func wrongSetting(_ found: CipherParameters) -> CipherError {
        let wanted = settings.candidates.map { $0.differences(to: found) }.min { $0.count < $1.count } ?? []
        return CipherError(
            .wrongSetting,
            "The key fits \(file.path), but the settings do not: the file has \(wanted.joined(separator: ", ")).")
    }

    private var wrongKey: CipherError {
        let isNamed = settings.version != nil || settings.iterations != nil || settings.keyHash != nil
        let tried = isNamed ? "with these settings, or the defaults" : "with the defaults"
        return CipherError(
            .wrongKey,
            "The key does not fit \(file.path) \(tried) of SQLCipher 4, 3, 2 and 1. Either it is wrong, or the program that wrote "
                + "the file makes its key in another way: then name kdf_iter and cipher_kdf_algorithm with --cipher.")
    }
}

extension PageCipher {
    fileprivate func fitsFirstPage(in file: StoredFile) -> Bool {
        file.page(1, size: parameters.pageSize).map(fitsFirstPage) ?? false
    }

    /// Whether another page near the beginning has the right authentication code, so that only page 1 is damaged.
    fileprivate func fitsOtherPage(in file: StoredFile) -> Bool {
        guard parameters.authentication != nil else { return false }
        return (2...8).contains { number in
            file.page(number, size: parameters.pageSize).map { decrypted(UInt32(number), $0) != nil } ?? false
        }
    }
}

extension CipherSettings {
    /// Whether nothing that is set is otherwise.
    fileprivate func agree(with found: CipherParameters) -> Bool {
        let isSame =
            (pageSize ?? found.pageSize) == found.pageSize
            && (authentication ?? found.authentication) == found.authentication
            && (plaintextHeader ?? found.plaintextHeader) == found.plaintextHeader
        return isSame && version.map { parameters(ofVersion: $0) == found } ?? true
    }
}

extension CipherParameters {
    /// What is otherwise in the file, as settings.
    fileprivate func differences(to found: CipherParameters) -> [String] {
        var texts: [String] = []
        if pageSize != found.pageSize { texts.append("cipher_page_size=\(found.pageSize)") }
        if iterations != found.iterations { texts.append("kdf_iter=\(found.iterations)") }
        if keyHash != found.keyHash { texts.append("cipher_kdf_algorithm=\(found.keyHash.rawValue)") }
        if authentication != found.authentication {
            texts.append(found.authentication.map { "cipher_hmac_algorithm=\($0.rawValue)" } ?? "cipher_use_hmac=OFF")
        }
        if plaintextHeader != found.plaintextHeader {
            texts.append("cipher_plaintext_header_size=\(found.plaintextHeader)")
        }
        return texts
    }
}
