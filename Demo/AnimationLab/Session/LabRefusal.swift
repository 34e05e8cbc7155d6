/// Why something cannot be done in the lab right now, as a sentence to show.
struct LabRefusal: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
