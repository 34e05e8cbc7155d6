/// Something that the replay of a scenario got wrong.
package struct Flaw: Hashable, Sendable {
    /// What kind of thing: two flaws of one kind in two versions of a scenario are taken to be the same one.
    package enum Kind: String, Hashable, Sendable {
        /// The replay ended with an error.
        case error
        /// The list is not what the view's rows and the mappings say.
        case state
        /// The change-set does not fit the rows before: a table view would throw an exception.
        case misfit
        /// Applied to the rows before, the change-set does not give the rows after.
        case rows
        /// A row was set or touched and is not named.
        case unreported
        /// There are no changes, and yet the outcome is that there are.
        case empty
        /// Everything is to be drawn anew without need.
        case reload
        /// The answer is another than the one that the line expects.
        case difference
    }

    package let kind: Kind
    /// The step of the scenario, counted from 0; nil for what is shown before the first.
    package var step: Int?
    /// What is wrong, with the values.
    package let text: String

    package init(kind: Kind, step: Int? = nil, text: String) {
        self.kind = kind
        self.step = step
        self.text = text
    }
}

extension Flaw: CustomStringConvertible {
    package var description: String { step.map { "step \($0): \(text)" } ?? text }
}
