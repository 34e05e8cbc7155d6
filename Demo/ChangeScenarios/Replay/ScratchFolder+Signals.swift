/// Lends a folder for throwaway databases that is gone afterwards, also when a signal ends the process meanwhile.
///
/// - Parameter onSignal: done first when a signal comes, on another thread.
@MainActor package func inScratchFolder<Value>(
    onSignal: @escaping @Sendable () -> Void = {}, _ body: @MainActor (ScratchFolder) throws -> Value
) throws -> Value {
    let folder = try ScratchFolder()
    let signals = EndSignals {
        onSignal()
        // Whoever works in the folder at this moment may put a file back; the next attempt finds it.
        for _ in 0..<3 where (try? folder.remove()) != nil { break }
    }
    let result = Result { try body(folder) }
    try folder.remove()
    signals.cancel()
    return try result.get()
}
