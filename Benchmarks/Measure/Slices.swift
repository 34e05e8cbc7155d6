/// Times of a long run divided into slices, from several rounds.
///
/// A slice is shorter than the interval after which the system switches back from another program. So the median of a
/// slice over the rounds is free of interruptions, and the sum of the medians is the time of the whole run.
struct Slices {
    private var rounds: [[Double]] = []

    /// Begins a round.
    mutating func begin() { rounds.append([]) }

    mutating func add(_ seconds: Double) { rounds[rounds.count - 1].append(seconds) }

    var total: Double {
        let count = rounds.map(\.count).min() ?? 0
        return (0..<count).reduce(0) { sum, slice in sum + rounds.map { $0[slice] }.median }
    }
}

extension [Double] {
    /// The median, 0 without values.
    var median: Double {
        isEmpty ? 0 : sorted()[count / 2]
    }
}
