import ChangeScenarios

/// Runs the body with a folder and removes it afterwards.
package func withScratchFolder<Value>(_ body: (ScratchFolder) throws -> Value) throws -> Value {
    let folder = try ScratchFolder()
    let result = Result { try body(folder) }
    try folder.remove()
    return try result.get()
}
