import Foundation

/// How much of what a test could try it tries: what plays how often is said here alone.
///
/// - `./run test` plays every example, a twentieth of the random cases of each property (an eightieth of those that take minutes),
///   and every sixth of the screens, seeds and formats that a test goes through.
///   What is large or long takes a third of that, where less shows the same: `isFull` stands beside its size.
/// - `./run check`, which CI runs, plays all of them.
/// - `./run fuzz`, `attack`, `torture` and `soak` go on for as long as they are told.
public enum Effort {
    /// Set by `./run check`.
    public static let isFull = ProcessInfo.processInfo.environment["YAP_EFFORT"] == "full"

    /// How many random cases of `all` are played.
    public static func cases<Count: BinaryInteger>(_ all: Count) -> Count { isFull ? all : (all + 19) / 20 }

    /// How many of `all` random cases are played of a property whose full number takes minutes: an eightieth.
    public static func dearCases<Count: BinaryInteger>(_ all: Count) -> Count { isFull ? all : (all + 79) / 80 }

    /// The arguments with which a test runs, of which the first is the most telling.
    public static func some<Argument>(_ all: [Argument]) -> [Argument] {
        isFull ? all : stride(from: 0, to: all.count, by: 6).map { all[$0] }
    }
}
