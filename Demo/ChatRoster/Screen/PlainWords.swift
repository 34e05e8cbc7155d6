import LiveTable

/// What a person is told of an error. Of what the library says to programs, a person can do nothing with it.
func plainWords(_ error: any Error) -> String {
    guard let error = error as? YapDatabaseError else { return "\(error)" }
    switch error.code {
    case .badExtension:
        return
            "Another program is preparing this file, or is of another version of the chat. If this stays, end the others."
    case .mismatchedMappings, .reloadNeeded, .stateGivenUp, .transactionFailed:
        return error.underlying.map(plainWords) ?? "The file changed while it was read. Try again."
    default: return "\(error)"
    }
}
