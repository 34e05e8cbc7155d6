/// Runs the body with a folder for throwaway databases and removes it afterwards, also if a signal ends the process.
///
/// - Parameter onSignal: called first when a signal arrives, on another thread.
@MainActor package func inScratchFolder<Value>(
    onSignal: @escaping @Sendable () -> Void = {}, _ body: @MainActor (ScratchFolder) throws -> Value
) throws -> Value {
    let folder = try ScratchFolder()
    let signals = EndSignals {
        onSignal()
        // Code that is using the folder at this moment may create a file again; the next attempt removes it.
        for _ in 0..<3 where (try? folder.remove()) != nil { break }
    }
    let result = Result { try body(folder) }
    try folder.remove()
    signals.cancel()
    return try result.get()
}
