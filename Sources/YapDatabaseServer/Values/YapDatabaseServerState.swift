import Foundation

/// How a file stands to its space.
public enum YapDatabaseServerState: Hashable, Sendable {
    /// No answer yet since the file was opened.
    case connecting
    /// So many of the rows that the file lacks have arrived. They appear in the file all at once.
    case catchingUp(rows: Int, total: Int)
    /// The file has every commit that the server has announced.
    case live
    /// The server is not reached since then. Reads go on, writes throw. `nextTry` is when it is asked again; nil while it holds the
    /// connection and answers nothing.
    case offline(since: Date, nextTry: Date?, reason: String)
    /// The server, or the file, does not permit it. Tried again rarely; reads go on.
    case refused(reason: String)

    /// Whether the file has every commit that the server has announced.
    public var isLive: Bool { self == .live }

    /// Whether nothing is lost by not waiting for the server. One that is only slow is waited for.
    var isAway: Bool {
        switch self {
        case .live, .catchingUp, .connecting: false
        case .offline(let since, let nextTry, _):
            nextTry != nil || Date() >= since + ServerLimits.slowness / .seconds(1)
        case .refused: true
        }
    }
}

extension YapDatabaseServerState: CustomStringConvertible {
    /// One line for a status bar.
    public var description: String {
        switch self {
        case .connecting: "connecting"
        case .catchingUp(let rows, let total): "catching up, \(rows) of \(total) rows"
        case .live: "live"
        case .offline(let since, _, let reason): "offline since \(Self.time(since)): \(reason)"
        case .refused(let reason): "refused: \(reason)"
        }
    }

    /// As `17:05`, in every language.
    private static func time(_ date: Date) -> String {
        let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
        func digits(_ number: Int?) -> String { String((number ?? 0) + 100).suffix(2).description }
        return "\(digits(parts.hour)):\(digits(parts.minute))"
    }
}

extension YapDatabaseServerState {
    /// One line, as the process that follows leaves it for others of the host.
    var line: String {
        switch self {
        case .connecting: "connecting"
        case .catchingUp(let rows, let total): "catching \(rows) \(total)"
        case .live: "live"
        case .offline(let since, let nextTry, let reason):
            "offline \(since.timeIntervalSince1970),\(nextTry.map { "\($0.timeIntervalSince1970)" } ?? "") \(reason)"
        case .refused(let reason): "refused \(reason)"
        }
    }

    init?(line: String) {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        switch parts.first {
        case "connecting": self = .connecting
        case "live": self = .live
        case "catching" where parts.count == 3:
            guard let rows = Int(parts[1]), let total = Int(parts[2]) else { return nil }
            self = .catchingUp(rows: rows, total: total)
        case "offline" where parts.count == 3:
            // An earlier release says no more than since when.
            let times = parts[1].split(separator: ",", omittingEmptySubsequences: false).map {
                Double($0).map(Date.init(timeIntervalSince1970:))
            }
            guard let since = times.first ?? nil else { return nil }
            self = .offline(since: since, nextTry: times.count > 1 ? times[1] : nil, reason: parts[2])
        case "refused": self = .refused(reason: parts.dropFirst().joined(separator: " "))
        default: return nil
        }
    }
}
