/// Times of a long run that was cut into slices, from several rounds of it.
///
/// A slice is shorter than what the system gives another program before it comes back to this one. So the median of a
/// slice over the rounds is free of interruptions, and the sum of the medians is what the whole run takes.
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
    /// 0 without any.
    var median: Double {
        isEmpty ? 0 : sorted()[count / 2]
    }
}
