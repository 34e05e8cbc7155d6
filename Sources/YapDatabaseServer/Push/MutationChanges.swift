import FileEngine

/// What a pending mutation changed, as it was applied last, in the form in which it is sent.
struct MutationChanges: Equatable {
    private(set) var outgoing = Outgoing()
    /// Why it cannot be sent at all; nil if it can.
    private(set) var refusal: String?

    init(of mutation: Int, _ transaction: YapDatabaseReadTransaction) throws {
        do { outgoing = try Outgoing(ofMutation: mutation, transaction) } catch let error as YapDatabaseServerError
            where error.code == .tooLarge
        {
            refusal = error.message
        }
    }
}
