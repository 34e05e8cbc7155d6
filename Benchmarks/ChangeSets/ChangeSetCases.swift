/// Change-sets without a database: the cost of many moves, and of long lists.
let changeSetCases: [Case] = [nil, 50].flatMap { last in byMoves(last: last) + byRows(last: last) }

private func byMoves(last: Int?) -> [Case] {
    let rows = 100_000
    return [1, 10, 100, 1_000, 10_000, 100_000].map { moves in
        var targets: [Target] = []
        // Per change, so 1.3 is a factor of 13 in time for a factor of 10 in changes.
        if moves > 1 { targets.append(.ratio(atMost: 1.3)) }
        if moves == 10_000 { targets.append(.value(atMost: 0.5, "µs")) }
        return Case(
            name: name("changeset_k", last, moves), n: rows, k: moves, unit: "µs/change", targets: targets
        ) {
            let reference = moves == 1 ? nil : MoveLog(rows: rows, moves: moves / 10, last: last)
            return try measure(
                MoveLog(rows: rows, moves: moves, last: last), moves, against: reference, moves / 10)
        }
    }
}

private func byRows(last: Int?) -> [Case] {
    [1_000, 10_000, 100_000, 1_000_000, 10_000_000].map { rows in
        Case(
            name: name("changeset_n", last, rows), n: rows, k: 1, unit: "µs/change",
            targets: rows > 1_000 ? [.ratio(atMost: 3)] : []
        ) {
            let reference = rows == 1_000 ? nil : MoveLog(rows: 1_000, moves: 1, last: last)
            return try measure(MoveLog(rows: rows, moves: 1, last: last), 1, against: reference, 1)
        }
    }
}

private func name(_ family: String, _ last: Int?, _ size: Int) -> String {
    "\(family)\(last.map { "_last\($0)" } ?? "")/\(size)"
}

/// Returns microseconds a change for two logs, measured in turn.
private func measure(
    _ log: MoveLog, _ moves: Int, against reference: MoveLog?, _ referenceMoves: Int
) throws -> Measurement {
    var times: [Double] = []
    var referenceTimes: [Double] = []
    for _ in 0..<(moves < 100_000 ? 15 : 9) {
        times.append(try microseconds(log, moves))
        if let reference { referenceTimes.append(try microseconds(reference, referenceMoves)) }
    }
    return Measurement(value: times.median, reference: reference == nil ? nil : referenceTimes.median)
}

/// Advances by several logs, so that short and long ones find the processor's caches equally warm.
private func microseconds(_ log: MoveLog, _ moves: Int) throws -> Double {
    let repetitions = max(1, 10_000 / moves)
    let seconds = try used { for _ in 0..<repetitions { try log.advance() } }
    return seconds / Double(repetitions * moves) * 1e6
}
