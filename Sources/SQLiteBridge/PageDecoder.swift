import CSQLite
import Synchronization

/// Makes the plain pages of a file that is stored in another form, such as encrypted. A file with one is only read.
public final class PageDecoder: Sendable {
    /// Makes a plain page of a stored one of the same size. Returns false if the page is damaged. Called on any thread.
    public typealias Decode =
        @Sendable (_ page: UInt32, _ stored: UnsafeRawBufferPointer, _ plain: UnsafeMutableRawBufferPointer) -> Bool

    /// In bytes.
    public let pageSize: Int
    /// The bytes at the end of each plain page that are not content.
    public let reserved: Int
    private let decode: Decode
    private let lastDamaged = Atomic<UInt32>(0)

    public init(pageSize: Int, reserved: Int, _ decode: @escaping Decode) {
        (self.pageSize, self.reserved, self.decode) = (pageSize, reserved, decode)
    }

    /// Returns a plain page; nil if it is damaged, or has another size. A page of zeros is one that was never written.
    public func page(_ number: UInt32, _ stored: [UInt8]) -> [UInt8]? {
        guard stored.count == pageSize else { return nil }
        if stored.allSatisfy({ $0 == 0 }) { return stored }
        var plain = [UInt8](repeating: 0, count: pageSize)
        let isSound = stored.withUnsafeBytes { stored in plain.withUnsafeMutableBytes { decode(number, stored, $0) } }
        return isSound ? plain : nil
    }

    /// Returns the first 100 bytes of the plain file; of a damaged first page what is known of them.
    public func header(_ storedPage: [UInt8]) -> [UInt8] {
        if let page = page(1, storedPage) { return Array(page.prefix(Self.headerSize)) }
        return [UInt8](unsafeUninitializedCapacity: Self.headerSize) { buffer, filled in
            yap_make_header(Int32(pageSize), Int32(reserved), buffer.baseAddress)
            filled = Self.headerSize
        }
    }

    private static let headerSize = 100

    fileprivate func fill(_ number: UInt32, _ stored: UnsafeRawPointer, _ plain: UnsafeMutableRawPointer) -> Bool {
        let isSound = decode(
            number, UnsafeRawBufferPointer(start: stored, count: pageSize),
            UnsafeMutableRawBufferPointer(start: plain, count: pageSize))
        if !isSound { lastDamaged.store(number, ordering: .relaxed) }
        return isSound
    }

    /// The page that SQLite found damaged last; 0 for none.
    public var lastDamagedPage: UInt32 { lastDamaged.load(ordering: .relaxed) }

    /// Names the damaged page in the error that SQLite made of it.
    func explain(_ error: SQLiteError) -> SQLiteError {
        guard error.extendedCode == SQLiteError.damagedPage else { return error }
        var error = error
        error.code = SQLiteError.corrupt
        error.message = Self.sentence(of: lastDamagedPage)
        return error
    }

    /// What is wrong with a damaged page.
    public static func sentence(of page: UInt32) -> String {
        "page \(page) is damaged: its authentication code does not fit what is stored"
    }
}

extension SQLiteError {
    /// A page that could not be decoded.
    static let damagedPage: Int32 = SQLITE_IOERR | 32 << 8
}

/// The files that are decoded in this process, by the paths that symbolic links lead to. Whatever opens one for reading reads plain pages.
///
/// A decoder belongs to the file, not to a connection: SQLite's own connections, readers of the log and the check must all
/// have it, and nothing else changes for them.
public enum PageDecoders {
    private static let decoders = Mutex<[String: PageDecoder]>([:])

    /// Sets the decoder of a file, for all handles that are opened later; nil for a file that is plain.
    public static func set(_ decoder: PageDecoder?, of path: String) {
        decoders.withLock { $0[resolved(path)] = decoder }
    }

    public static func decoder(of path: String) -> PageDecoder? {
        decoders.withLock { $0.isEmpty ? nil : $0[resolved(path)] }
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

extension PageDecoder {
    /// Opens a file whose pages SQLite reads through this decoder.
    func open(_ name: String, _ handle: inout OpaquePointer?, flags: Int32) -> Int32 {
        var functions = yap_page_decoder()
        functions.page_size = Int32(pageSize)
        functions.reserved = Int32(reserved)
        functions.context = Unmanaged.passRetained(self).toOpaque()
        functions.decode = { context, page, stored, plain in
            Unmanaged<PageDecoder>.fromOpaque(context!).takeUnretainedValue().fill(page, stored!, plain!) ? 1 : 0
        }
        functions.release = { Unmanaged<PageDecoder>.fromOpaque($0!).release() }
        return yap_open_decoded(name, &handle, flags, &functions)
    }
}
