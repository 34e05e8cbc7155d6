/// What a caller accepts of an answer, and how long it waits for it.
package struct AnswerLimits: Sendable {
    /// The time for all of it; nil for as long as bytes arrive.
    package var deadline: ContinuousClock.Instant?
    /// How long to wait after the deadline until the server confirms that it has given the statement up; nil for not at all.
    package var patienceToCancel: Duration?
    /// The longest time without a byte.
    package var silence: Duration
    /// The largest number of rows.
    package var rows: Int
    /// The largest size of a row, with what may arrive behind it.
    package var rowBytes: Int

    /// A transaction has at most 64 MB, so that a row whose values were set in two has twice as much; the socket's buffers may hold
    /// some more.
    package static let largestRow = 144 << 20

    package init(
        deadline: ContinuousClock.Instant? = nil, patienceToCancel: Duration? = nil, silence: Duration = .seconds(15),
        rows: Int = 100_000,
        rowBytes: Int = AnswerLimits.largestRow
    ) {
        self.deadline = deadline
        self.patienceToCancel = patienceToCancel
        self.silence = silence
        self.rows = rows
        self.rowBytes = rowBytes
    }
}
