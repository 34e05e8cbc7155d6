/// Change-sets without a database: the cost of many moves, and of long lists.
let changeSetCases: [Case] = [nil, 50].flatMap { last in byMoves(last: last) + byRows(last: last) }

/// The reference of k moves are the same moves in logs of a tenth: what ten times as many changes at once cost more than ten commits.
///
/// All logs of a measurement are different. A short log that is repeated costs less each time, because the processor has learned its
/// branches, and no log of an app comes twice.
private func byMoves(last: Int?) -> [Case] {
    let rows = 100_000
    return [1, 10, 100, 1_000, 10_000, 100_000].map { moves in
        var targets: [Target] = []
        // Per change, so 1.2 is a factor of 12 in time for a factor of 10 in changes.
        if moves > 1 { targets.append(.ratio(atMost: 1.2)) }
        if moves == 10_000 { targets.append(.value(atMost: 0.5, "µs")) }
        return Case(
            name: name("changeset_k", last, moves), n: rows, k: moves, unit: "µs/change", targets: targets
        ) {
            guard moves > 1 else { return try measureOneMove(in: rows, last: last) }
            let log = MoveLog(rows: rows, moves: max(moves, 10_000), last: last)
            return try measure(log.parts(of: moves), against: log.parts(of: moves / 10))
        }
    }
}

private func byRows(last: Int?) -> [Case] {
    [1_000, 10_000, 100_000, 1_000_000, 10_000_000].map { rows in
        Case(
            name: name("changeset_n", last, rows), n: rows, k: 1, unit: "µs/change",
            targets: rows > 1_000 ? [.ratio(atMost: 3)] : []
        ) {
            try measureOneMove(in: rows, last: last, against: rows == 1_000 ? nil : 1_000)
        }
    }
}

private func name(_ family: String, _ last: Int?, _ size: Int) -> String {
    "\(family)\(last.map { "_last\($0)" } ?? "")/\(size)"
}

private func measureOneMove(in rows: Int, last: Int?, against referenceRows: Int? = nil) throws -> Measurement {
    func logs(_ rows: Int) -> [MoveLog] {
        Array(repeating: MoveLog(oneMoveIn: rows, last: last), count: 10_000)
    }
    return try measure(logs(rows), against: referenceRows.map(logs))
}

/// Returns microseconds a change, measured in turn.
private func measure(_ logs: [MoveLog], against reference: [MoveLog]?) throws -> Measurement {
    var times: [Double] = []
    var referenceTimes: [Double] = []
    for _ in 0..<(logs[0].moves < 100_000 ? 15 : 9) {
        times.append(try microseconds(logs))
        if let reference { referenceTimes.append(try microseconds(reference)) }
    }
    return Measurement(value: times.median, reference: reference == nil ? nil : referenceTimes.median)
}

private func microseconds(_ logs: [MoveLog]) throws -> Double {
    let seconds = try used { for log in logs { try log.advance() } }
    return seconds / Double(logs.reduce(0) { $0 + $1.moves }) * 1e6
}
