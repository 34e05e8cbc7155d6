import Foundation
import LiveTable

/// Why a chat's file is not up to date with its server.
public struct ServerDelay: Hashable, Sendable {
    /// Why a file is not up to date with its server; nil if it is.
    public typealias Source = @Sendable (YapDatabase) -> ServerDelay?

    /// What is not as it should be.
    public var subject = server
    static let (server, file) = ("The server", "The file")
    /// In a word or two, as `offline`.
    public var title: String
    /// In full.
    public var reason: String
    /// Whether a write may work all the same, in a moment.
    public var mayWrite: Bool
    /// Since when; nil if that says nothing.
    public var since: Date?
    /// When the server is asked again; nil if it was asked, or is not to be.
    public var nextTry: Date?

    /// - Parameters:
    ///   - title: in a word or two.
    ///   - reason: in full.
    ///   - mayWrite: whether a write may work all the same.
    ///   - since: since when.
    ///   - nextTry: when the server is asked again.
    public init(_ title: String, reason: String, mayWrite: Bool, since: Date? = nil, nextTry: Date? = nil) {
        (self.title, self.reason, self.mayWrite, self.since, self.nextTry) = (title, reason, mayWrite, since, nextTry)
    }

    /// One line: the longest form that fits. The second one, of at most 19 columns, fits on every screen.
    /// - Parameters:
    ///   - key: the key that shows the reason.
    ///   - width: columns.
    func line(at now: Date, key: String, width: Int) -> String {
        guard let since else { return [title + " (\(key): why)", title].first { $0.count <= width } ?? title }
        let past = now.timeIntervalSince(since)
        let rest = nextTry.map { Int($0.timeIntervalSince(now).rounded(.up)) }
        let long = "\(title) for \(Self.time(past, " s", " min", " h", " days"))"
        let short = "\(title) \(Self.time(past, "s", "m", "h", "d"))"
        let tried = rest.map { $0 > 0 ? ", next try in \($0) s" : ", trying now" } ?? ""
        let triedShort = rest.map { $0 > 0 ? ", try \($0)s" : ", trying" } ?? ""
        let forms = ["\(long)\(tried) (\(key): why)", long + tried, short + triedShort, short]
        return forms.first { $0.count <= width } ?? title
    }

    private static func time(_ seconds: Double, _ units: String...) -> String {
        let seconds = max(0, Int(seconds))
        let counts = [seconds, seconds / 60, seconds / 3_600, seconds / 86_400]
        let index = counts.lastIndex { $0 > 0 } ?? 0
        return "\(counts[index])\(units[index])"
    }
}
