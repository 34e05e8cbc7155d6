import Foundation

/// The sign of life of one running chat. Rows of these are not worth keeping: they stand in a collection of their own.
///
/// On one machine the chat holds a lock of its session's name, which ends with the process. It writes when what it says changes, and once a
/// minute, because a process that is stopped keeps its lock. A space on a server has hosts that see no lock: there a counter grows every
/// second.
struct Heartbeat: Codable, Hashable, Sendable {
    /// Seconds between two.
    static let period = 1.0
    /// Seconds without one after which a person is offline.
    static let patience = 2.5

    /// The same of chats that hold a lock.
    static let (periodWithLock, patienceWithLock) = (60.0, 150.0)

    let person: String
    /// One of the person's running chats.
    let session: String
    var count = 0
    var date: Date
    /// The id of the conversation in which the person is typing.
    var typing: String?
    /// Whether the person has pressed no key for long.
    var isIdle = false
    /// Whether the chat lives as long as it holds the lock of its session's name. Nil in rows of earlier releases, which beat.
    var holds: Bool?

    var key: String { "\(person)/\(session)" }
}

/// Watches heartbeats by the own clock, so that a wrong clock of another machine makes no one seem absent.
struct BeatWatch: Sendable {
    private struct Seen {
        var beat: Heartbeat
        /// When it was seen alive: infinity for this process's own, which needs no look, and minus infinity for one that has let go of its lock.
        var time: Double
        /// When it came.
        let noted: Double
    }

    private var seen: [String: Seen] = [:]

    /// Takes note of all heartbeats in the file. One that is met for the first time counts from its date, so that those of
    /// a chat that was killed long ago are over at once.
    mutating func note(_ beats: [Heartbeat], at time: Double, _ date: Date) {
        var now: [String: Seen] = [:]
        for beat in beats {
            if let before = seen[beat.key], before.beat.count == beat.count, before.beat.date == beat.date {
                now[beat.key] = before
            } else {
                let isNew = seen[beat.key] == nil
                let age = isNew ? max(0, date.timeIntervalSince(beat.date)) : 0
                now[beat.key] = Seen(beat: beat, time: time - age, noted: time - age)
            }
        }
        seen = now
    }

    /// Looks which of the chats that hold a lock still do.
    /// - Parameter own: the session of this process.
    mutating func look(at time: Double, own: String, isHeld: (_ session: String) -> Bool) {
        for (key, one) in seen where one.beat.holds == true {
            let session = one.beat.session
            let isRunning = time - one.noted <= Heartbeat.patienceWithLock && isHeld(session)
            seen[key]?.time = session == own ? .infinity : isRunning ? time : -.infinity
        }
    }

    /// Whether a chat's sign is among those noted last.
    func knows(_ key: String) -> Bool { seen[key] != nil }

    /// The heartbeats that are not over.
    func alive(at time: Double) -> [Heartbeat] {
        seen.values.filter { time - $0.time <= Heartbeat.patience }.map(\.beat)
    }

    /// The heartbeats that are over.
    func over(at time: Double) -> [Heartbeat] {
        seen.values.filter { time - $0.time > Heartbeat.patience }.map(\.beat).sorted { $0.key < $1.key }
    }

    /// Who is typing in a conversation, in alphabetical order.
    func typing(in conversation: String, besides person: String, at time: Double) -> [String] {
        Set(alive(at: time).filter { $0.typing == conversation && $0.person != person }.map(\.person)).sorted()
    }

    /// When the next heartbeat is over, if no other comes, or when locks are to be looked at again.
    func nextEnd(after time: Double) -> Double? {
        seen.values.map { $0.time + ($0.beat.holds == true ? Heartbeat.period : Heartbeat.patience) }
            .filter { $0 > time && $0.isFinite }.min()
    }
}
