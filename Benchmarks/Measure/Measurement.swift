/// A result, in the unit of its case.
struct Measurement: Decodable {
    let value: Double
    /// The value to compare with, if there is one.
    var reference: Double?

    init(value: Double, reference: Double? = nil) {
        self.value = value
        self.reference = reference
    }

    /// The medians of our times and of the times to compare with, in seconds.
    /// - Parameter scale: the units of the case in a second.
    init(_ ours: [Double], _ others: [Double], scale: Double) {
        self.init(value: ours.median * scale, reference: others.median * scale)
    }

    var ratio: Double? { reference.map { value / $0 } }
}

extension Case {
    /// Returns one line of JSON.
    func json(_ measurement: Measurement) -> String {
        let fields: [(String, String)] = [
            ("name", "\"\(name)\""), ("n", "\(n)"), ("k", "\(k)"), ("value", "\(measurement.value)"),
            ("unit", "\"\(unit)\""), ("reference", measurement.reference.map { "\($0)" } ?? "null"),
            ("ratio", measurement.ratio.map { "\($0)" } ?? "null"),
        ]
        let members = fields.map { "\"\($0)\":\($1)" }
        return "{\(members.joined(separator: ","))}"
    }
}
