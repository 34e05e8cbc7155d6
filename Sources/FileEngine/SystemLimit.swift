import Foundation
import Glibc
import SQLiteBridge

/// A limit of the process or the system that a call of the system has met, and that is no fault of a file.
package enum SystemLimit {
    case openFilesOfProcess
    case openFilesOfSystem
    case fileSize

    /// Nil for other errors.
    init?(_ code: Int32) {
        switch code {
        case EMFILE: self = .openFilesOfProcess
        case ENFILE: self = .openFilesOfSystem
        case EFBIG: self = .fileSize
        default: return nil
        }
    }

    /// The limit that SQLite has met. The system's number is that of the last call, which need not be the one that failed: a write fails in the
    /// same way where the disk does, so it counts as this one only where files of this process may not grow.
    init?(_ error: SQLiteError) {
        if let limit = SystemLimit(error.systemCode) {
            self = limit
        } else if [SQLiteError.failedWrite, SQLiteError.failedGrowthOfIndex].contains(error.extendedCode),
            Self.value(of: RLIMIT_FSIZE) != .max
        {
            self = .fileSize
        } else {
            return nil
        }
    }

    var code: YapDatabaseError.Code { self == .fileSize ? .diskFull : .cannotOpen }

    /// - Parameter subject: what cannot be opened or written, such as a path.
    func advice(_ subject: String) -> String {
        switch self {
        case .openFilesOfProcess:
            "\(subject) cannot be opened: this process has as many files open as it may have, \(Self.limit(RLIMIT_NOFILE)). Close some, or raise "
                + "the limit (`ulimit -n`)."
        case .openFilesOfSystem:
            "\(subject) cannot be opened: the system has as many files open as it can have. Close some programs, or raise the limit "
                + "(`sysctl fs.file-max`)."
        case .fileSize:
            "\(subject) cannot be written: this process may not let a file grow beyond \(Self.limit(RLIMIT_FSIZE)) bytes, and the file system may "
                + "have a limit, too. Nothing was stored. Raise the limit (`ulimit -f`)."
        }
    }

    /// The error of a call that opens something; nil if it met no limit.
    /// - Parameters:
    ///   - subject: what was to be opened.
    ///   - code: the system's number.
    package static func error(opening subject: String, _ code: Int32) -> YapDatabaseError? {
        SystemLimit(code).map {
            YapDatabaseError(
                $0.code, $0.advice(subject), underlying: POSIXError(POSIXError.Code(rawValue: code) ?? .EMFILE))
        }
    }

    private static func limit(_ resource: __rlimit_resource) -> String {
        let limit = value(of: resource)
        return limit == .max ? "any number of" : "\(limit)"
    }

    private static func value(of resource: __rlimit_resource) -> rlim_t {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        return limit.rlim_cur
    }
}
