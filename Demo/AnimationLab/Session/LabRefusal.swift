/// Why the lab cannot do something at present, as a sentence to show.
struct LabRefusal: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
