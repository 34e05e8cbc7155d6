import Testing

@testable import YapDatabase

/// The body must throw a ``YapDatabaseError`` with this code, whose text mentions these words.
func expectError(
    _ code: YapDatabaseError.Code, mentioning words: String..., location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    do {
        try body()
        Issue.record("nothing was thrown instead of \(code)", sourceLocation: location)
    } catch let error as YapDatabaseError {
        #expect(error.code == code, "\(error)", sourceLocation: location)
        for word in words where !word.isEmpty { #expect("\(error)".contains(word), sourceLocation: location) }
    } catch {
        Issue.record("\(error) was thrown instead of \(code)", sourceLocation: location)
    }
}
