/// The table's clock, which the user may slow down, stop, and advance frame by frame.
struct LabClock: Hashable, Sendable {
    /// The factors by which time can be slowed down.
    static let slownesses = [1, 2, 4, 10, 20]
    /// The duration of one frame, in seconds.
    static let frame = 1 / 60.0

    private(set) var slowness = 1
    private(set) var isPaused = false
    private var known: Known

    /// A moment in real time and the table's time then, in seconds.
    private struct Known: Hashable, Sendable {
        var real: Double
        var table: Double
    }

    init(at real: Double) { known = Known(real: real, table: real) }

    /// Returns the table's time at a moment.
    func time(at real: Double) -> Double {
        isPaused ? known.table : known.table + max(0, real - known.real) / Double(slowness)
    }

    /// Returns the moment of a table's time; nil while the clock is stopped.
    func moment(of time: Double) -> Double? {
        isPaused ? nil : known.real + (time - known.table) * Double(slowness)
    }

    mutating func slowDown(at real: Double) { change(by: 1, at: real) }

    mutating func speedUp(at real: Double) { change(by: -1, at: real) }

    mutating func togglePause(at real: Double) {
        known = Known(real: real, table: time(at: real))
        isPaused.toggle()
    }

    /// Advances by one frame and stops.
    mutating func nextFrame(at real: Double) {
        known = Known(real: real, table: time(at: real) + Self.frame)
        isPaused = true
    }

    private mutating func change(by steps: Int, at real: Double) {
        known = Known(real: real, table: time(at: real))
        let index = Self.slownesses.firstIndex(of: slowness)! + steps
        slowness = Self.slownesses[min(max(0, index), Self.slownesses.count - 1)]
    }
}
