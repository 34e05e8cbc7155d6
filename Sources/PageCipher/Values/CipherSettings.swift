/// What a program set by SQLCipher's pragmas, as far as it is known. What is nil is tried.
package struct CipherSettings: Hashable, Sendable {
    /// `cipher_compatibility`: the version whose defaults hold.
    package var version: Int?
    package var pageSize: Int?
    package var keyHash: HashFunction?
    package var iterations: Int?
    /// Nil inside: pages have no authentication code.
    package var authentication: HashFunction??
    package var plaintextHeader: Int?
    package var salt: [UInt8]?

    package init() {}

    /// The defaults of a version with what is set.
    func parameters(ofVersion version: Int) -> CipherParameters {
        var parameters = CipherParameters.defaults(ofVersion: version)
        if let pageSize { parameters.pageSize = pageSize }
        if let keyHash { parameters.keyHash = keyHash }
        if let iterations { parameters.iterations = iterations }
        if let authentication { parameters.authentication = authentication }
        if let plaintextHeader { parameters.plaintextHeader = plaintextHeader }
        return parameters
    }

    /// The parameters to try, the likeliest first.
    var candidates: [CipherParameters] {
        (version.map { [$0] } ?? CipherParameters.versions).map(parameters(ofVersion:))
    }
}

extension CipherSettings {
    /// Reads settings such as `kdf_iter=4000,cipher_page_size=8192`, with the names and values of SQLCipher's pragmas.
    /// - Throws: ``CipherError`` with kind `usage`.
    package init(_ text: String) throws {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1).map { $0.trimming(" \"'") }
            guard words.count == 2 else { throw Self.wrong(String(part), "A setting is NAME=VALUE.") }
            try set(words[0], String(part.split(separator: "=", maxSplits: 1)[1]), words[1])
        }
    }

    /// The names of settings, for help and messages.
    package static let names = [
        "cipher_compatibility", "cipher_page_size", "kdf_iter", "cipher_kdf_algorithm", "cipher_hmac_algorithm",
        "cipher_use_hmac", "cipher_plaintext_header_size", "cipher_salt",
    ]

    private mutating func set(_ name: String, _ written: String, _ value: String) throws {
        switch name {
        case "cipher_compatibility": version = try Self.number(name, value, among: CipherParameters.versions)
        case "cipher_page_size": pageSize = try Self.number(name, value, among: CipherParameters.pageSizes)
        case "kdf_iter": iterations = try Self.number(name, value, in: 1...Self.maxIterations)
        case "cipher_kdf_algorithm": keyHash = try Self.hash(name, value)
        case "cipher_hmac_algorithm": authentication = .some(try Self.hash(name, value))
        case "cipher_use_hmac":
            guard ["on", "off", "1", "0", "true", "false"].contains(value.lowercased()) else {
                throw Self.wrong("\(name)=\(value)", "It is ON or OFF.")
            }
            if ["off", "0", "false"].contains(value.lowercased()) { authentication = .some(nil) }
        case "cipher_plaintext_header_size":
            plaintextHeader = try Self.number(name, value, among: CipherParameters.plaintextHeaders)
        case "cipher_salt":
            let text = written.trimming(" \"")
            guard let bytes = FileKey.hexadecimal(text.utf8.map { $0 }), bytes.count == CipherParameters.saltSize else {
                throw Self.wrong("\(name)=\(value)", "It is x'…' with 32 digits.")
            }
            salt = bytes
        default: throw Self.wrong(name, "Settings are \(Self.names.joined(separator: ", ")).")
        }
    }

    /// Some minutes of work; no program sets more.
    private static let maxIterations = 100_000_000

    private static func hash(_ name: String, _ value: String) throws -> HashFunction {
        let short = value.uppercased().split(separator: "_").last.map(String.init) ?? value
        guard let hash = HashFunction(rawValue: short) else {
            throw wrong("\(name)=\(value)", "It is SHA1, SHA256 or SHA512.")
        }
        return hash
    }

    private static func number(_ name: String, _ value: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw wrong("\(name)=\(value)", "It is a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private static func number(_ name: String, _ value: String, among numbers: [Int]) throws -> Int {
        guard let number = Int(value), numbers.contains(number) else {
            let list = numbers.map(String.init).joined(separator: ", ")
            throw wrong("\(name)=\(value)", "It is one of \(list).")
        }
        return number
    }

    private static func wrong(_ part: String, _ advice: String) -> CipherError {
        CipherError(.usage, "\"\(part)\" is no setting of a cipher. \(advice)")
    }
}

extension StringProtocol {
    fileprivate func trimming(_ characters: String) -> String {
        String(drop { characters.contains($0) }.reversed().drop { characters.contains($0) }.reversed())
    }
}
