/// An error in the replay of a scenario.
package struct Flaw: Hashable, Sendable {
    /// Two flaws of one kind in two versions of a scenario count as the same one.
    package enum Kind: String, Hashable, Sendable {
        /// The replay ended with an error.
        case error
        /// The list differs from the view's rows and the mappings.
        case state
        /// The change-set does not fit the rows before: a table view would throw an exception.
        case misfit
        /// Applied to the rows before, the change-set does not give the rows after.
        case rows
        /// A row was set or touched and is not named.
        case unreported
        /// The outcome is a change-set without changes.
        case empty
        /// The outcome is an unnecessary reload.
        case reload
        /// The answer differs from the one that the line expects.
        case difference
    }

    package let kind: Kind
    /// The step of the scenario, counted from 0; nil for the state before the first.
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
