/// The limits of sizes, attempts and times, each with its reason.
enum ServerLimits {
    /// ``YapDatabaseServer/transactionLimit``
    static let transaction = 64 << 20
    /// ``YapDatabaseServer/nameLimit``
    static let name = 1_024
    /// Times that a transaction is overtaken before it keeps writers of other hosts out.
    static let refusalsBeforeHold = 2
    /// Times that it runs at all. More is only possible if the file changes under it.
    static let attemptLimit = 20
    /// Times that pending mutations are applied in a rehearsal, if another process of the host writes between rehearsal and commit each time. Then
    /// they are applied without one.
    static let rehearsals = 5
    /// A transaction whose closure takes longer keeps other hosts out from its second attempt on, because it would be overtaken again.
    static let longTransaction = Duration.seconds(1)
    /// How long a transaction may keep other hosts out without a statement.
    static let holdTime = Duration.seconds(2)
    static let longestHoldTime = Duration.seconds(30)
    /// The same for a transaction whose closure has taken this time before.
    static func holdTime(transaction time: Duration) -> Duration { min(holdTime + time * 2, longestHoldTime) }
    /// How long mutations may do so while they are applied again: longer the more there are, since none could be sent otherwise.
    static func holdTime(pending count: Int) -> Duration { min(holdTime + .milliseconds(2) * count, longestHoldTime) }
    /// How many mutations are sent at once: more where many wait, because others may commit between two batches, and all that wait are applied again.
    static func batch(pending count: Int) -> Int { min(max(64, count / 4), 2_048) }
    /// After how long the server ends a statement of a client that may be gone.
    static let statementLimit = Duration.seconds(30)
    /// How long to try to give up a commit without an answer, after the timeout.
    static let graceToGiveUp = Duration.seconds(1)
    /// How long the follower waits for the answer to a mutation, at first: rules are checked row by row. After one that took longer it waits
    /// for twice as long as it did, up to ``longestSendTime``.
    static func sendTime(rows: Int) -> Duration { min(.seconds(10) + .milliseconds(20) * rows, longestSendTime) }
    static let longestSendTime = Duration.seconds(600)
    /// How often a process looks whether the one that follows is gone.
    static let lookInterval = Duration.milliseconds(400)
    /// How often to ask for commits although none was announced, in case that an announcement was lost.
    static let askInterval = Duration.seconds(5)
    /// After how long without a word the server is asked whether it is there, and after how long without its answer that is told: within
    /// three seconds together. A server that is only slow keeps its connection.
    static let (probeInterval, answerPatience) = (Duration.seconds(1), Duration.milliseconds(1_500))
    /// How long a server may hold the connection and answer nothing before it counts as away for a transaction behind which a mutation waits.
    static let slowness = Duration.seconds(5)
    /// The longest pause between attempts to connect, and the pause after a refusal.
    static let (longestPause, refusalPause) = (Duration.seconds(5), Duration.seconds(10))
    /// How long the follower waits for more commits if the server has more than one each time, so that the file takes several at once.
    static let busyPause = Duration.milliseconds(40)
    /// How often the server is told how far the file is.
    static let seenInterval = Duration.seconds(60)
}
