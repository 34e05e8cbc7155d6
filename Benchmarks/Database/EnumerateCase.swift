import YapDatabase

/// Every row in the order of the keys, decoded.
let enumerateCase = Case(
    name: "enumerate", n: people, k: people, unit: "µs/row", targets: [.ratio(atMost: 1.2)]
) {
    try withPeople { database, url in
        let reference = try RawDatabase(url, .normal)
        let connection = try database.newConnection()
        var ours = Slices()
        var raw = Slices()
        for _ in 0..<5 {
            var laps = Laps()
            try connection.read { transaction in
                try transaction.iterateKeysAndObjects(inCollection: Person.collection) {
                    (key: String, person: Person, _: inout Bool) in
                    keep((key, person))
                    laps.count()
                }
            }
            ours.add(laps)
            laps = Laps()
            try reference.enumerate { key, person in
                keep((key, person))
                laps.count()
            }
            raw.add(laps)
        }
        let scale = 1e6 / Double(people)
        return Measurement(value: ours.total * scale, reference: raw.total * scale)
    }
}

/// Divides a loop that other code runs into slices.
private struct Laps {
    private static let length = 100
    private var rows = 0
    private var start = Time.passed
    private(set) var seconds: [Double] = []

    mutating func count() {
        rows += 1
        guard rows == Self.length else { return }
        let now = Time.passed
        seconds.append(now - start)
        (rows, start) = (0, now)
    }
}

extension Slices {
    fileprivate mutating func add(_ laps: Laps) {
        begin()
        laps.seconds.forEach { add($0) }
    }
}
