import Foundation

/// A line of Swift Testing's event stream, version 0, as far as the runner reads it.
struct Event: Decodable {
    let kind: String
    let payload: Payload

    struct Payload: Decodable {
        let kind: String?
        /// Of a line that describes a test.
        let id: String?
        /// Of an event.
        let testID: String?
        let instant: Instant?
        let issue: Issue?
    }

    struct Instant: Decodable {
        /// Seconds of a monotonic clock.
        let absolute: Double
    }

    struct Issue: Decodable {
        let isKnown: Bool?
        let isFailure: Bool?
    }
}

extension Event.Issue {
    /// Whether the issue fails its test.
    var fails: Bool { isFailure ?? !(isKnown ?? false) }
}
