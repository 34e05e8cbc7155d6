import CCrypto

/// Decrypts the pages of one file, for any number of threads at the same time.
package final class PageCipher: @unchecked Sendable {
    // @unchecked: the C object locks itself.

    package let parameters: CipherParameters
    private let cipher: OpaquePointer
    private static let magic = Array("SQLite format 3\0".utf8)

    init(_ key: DerivedKey, _ parameters: CipherParameters) throws {
        self.parameters = parameters
        let hash = Int32(parameters.authentication?.size ?? 0)
        guard let cipher = yap_page_cipher_new(key.encryption, key.authentication, hash) else {
            throw CipherError(.unavailable, "There is no memory to decrypt pages.")
        }
        self.cipher = cipher
    }

    deinit { yap_page_cipher_free(cipher) }

    /// Makes a plain page of a stored one of the same size.
    /// - Returns: whether its authentication code fits. Without a code, always true.
    package func decrypt(
        _ page: UInt32, _ stored: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let start = parameters.start(ofPage: page)
        let end = parameters.pageSize - parameters.reserved
        guard stored.count == parameters.pageSize, plain.count == stored.count, start < end,
            let source = stored.baseAddress, let target = plain.baseAddress
        else { return false }
        let status = yap_page_cipher_decrypt(cipher, page, source + start, end - start, target + start)
        guard status == Int32(yap_page_good) else { return false }
        if parameters.plaintextHeader > 0 {
            plain[..<start].copyBytes(from: stored[..<start])
        } else if page == 1 {
            plain[..<start].copyBytes(from: Self.magic)
        }
        for place in end..<plain.count { plain[place] = 0 }
        return true
    }

    /// Whether page 1 becomes the first page of an SQLite file with this page size. Wrong keys almost never do, also without
    /// authentication codes.
    func fitsFirstPage(_ stored: [UInt8]) -> Bool {
        guard let page = decrypted(1, stored) else { return false }
        let size = Int(page[16]) << 8 | Int(page[17])
        func number(_ place: Int) -> UInt32 { page[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        // The fractions are the same in each file. The format of the schema, the encoding and the unused bytes are behind a plain header.
        return (size == 1 ? 65_536 : size) == parameters.pageSize && Array(page[21...23]) == [64, 32, 32]
            && number(44) <= 4 && number(56) <= 3 && page[72..<92].allSatisfy { $0 == 0 }
    }

    func decrypted(_ page: UInt32, _ stored: [UInt8]) -> [UInt8]? {
        guard stored.count == parameters.pageSize else { return nil }
        var plain = [UInt8](repeating: 0, count: stored.count)
        let isSound = stored.withUnsafeBytes { stored in
            plain.withUnsafeMutableBytes { decrypt(page, stored, into: $0) }
        }
        return isSound ? plain : nil
    }
}
