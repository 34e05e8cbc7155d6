import FileEngine
import Synchronization

/// What clients of several hosts did and saw, in an order of events that all of them share: appends to lists and reads
/// of them.
///
/// The law, for each list: every append that was acknowledged is in it once, one that was refused is not, of an unknown
/// one at most one; an append that began after another had ended stands after it; whatever was read, on any host, is a
/// beginning of it, never shorter than what the same host had read or appended before, if its file had what it appended.
final class History: Sendable {
    enum Outcome {
        case stored
        /// The host's file gets it later.
        case storedOnServerOnly
        case notStored
        case unknown

        var isStored: Bool { self == .stored || self == .storedOnServerOnly }
    }

    struct Append {
        var list: String
        var element: String
        var host: Int
        var began: Int
        var ended: Int
        var outcome: Outcome
    }

    struct Read {
        var list: String
        var host: Int
        var began: Int
        var ended: Int
        var elements: [Substring]
    }

    private let events = Atomic(0)
    private let appends = Locked<[Append]>([])
    private let reads = Locked<[Read]>([])

    /// The next moment.
    func tick() -> Int { events.add(1, ordering: .sequentiallyConsistent).newValue }

    func note(_ append: Append) { appends.withLock { $0.append(append) } }
    func note(_ read: Read) { reads.withLock { $0.append(read) } }

    /// What contradicts the law; `final` are the lists at the end.
    func violations(final: [String: [Substring]]) -> [String] {
        let appends = Dictionary(grouping: appends.withLock { $0 }, by: \.list)
        let reads = Dictionary(grouping: reads.withLock { $0 }, by: \.list)
        var found: [String] = []
        for list in Set(appends.keys).union(reads.keys).union(final.keys).sorted() {
            let elements = final[list] ?? []
            found += Self.misplaced(appends[list] ?? [], in: elements).map { "list \(list): \($0)" }
            found += Self.misread(reads[list] ?? [], appends[list] ?? [], of: elements).map { "list \(list): \($0)" }
        }
        return found
    }

    private static func misplaced(_ appends: [Append], in elements: [Substring]) -> [String] {
        var found: [String] = []
        let byElement = Dictionary(appends.map { ($0.element[...], $0) }) { first, _ in first }
        var times: [Substring: Int] = [:]
        var newestBegin = 0
        for element in elements {
            times[element, default: 0] += 1
            guard let append = byElement[element] else {
                found.append("\(element) was never appended")
                continue
            }
            // An unknown append may take effect at any later time.
            if append.outcome.isStored, append.ended < newestBegin {
                found.append("\(element) stands after one that began later")
            }
            newestBegin = max(newestBegin, append.began)
        }
        for append in appends {
            let count = times[append.element[...]] ?? 0
            switch append.outcome {
            case .stored where count != 1, .storedOnServerOnly where count != 1:
                found.append("\(append.element) was stored and is there \(count) times")
            case .notStored where count != 0: found.append("\(append.element) was refused and is there \(count) times")
            case .unknown where count > 1: found.append("\(append.element) is there \(count) times")
            default: break
            }
        }
        return found
    }

    private static func misread(_ reads: [Read], _ appends: [Append], of elements: [Substring]) -> [String] {
        var found: [String] = []
        let places = Dictionary(elements.enumerated().map { ($1, $0) }) { first, _ in first }
        // What a host knows of the list from a moment on: how many elements it has at least.
        var known: [Int: [(moment: Int, count: Int)]] = [:]
        for append in appends where append.outcome == .stored {
            if let place = places[append.element[...]] {
                known[append.host, default: []].append((append.ended, place + 1))
            }
        }
        for read in reads {
            known[read.host, default: []].append((read.ended, read.elements.count))
            if !elements.starts(with: read.elements) { found.append("host \(read.host) read another order") }
        }
        for (host, moments) in known {
            var moments = moments.sorted { $0.moment < $1.moment }[...]
            var atLeast = 0
            for read in reads.filter({ $0.host == host }).sorted(by: { $0.began < $1.began }) {
                while let next = moments.first, next.moment < read.began {
                    atLeast = max(atLeast, next.count)
                    moments.removeFirst()
                }
                if read.elements.count < atLeast {
                    found.append("host \(host) read \(read.elements.count) elements after it had \(atLeast)")
                }
            }
        }
        return found
    }
}
