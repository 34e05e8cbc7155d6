import Foundation

/// Counts work that is done, tells a `Progress` of it now and then, and hears from it whether to go on.
struct Tally {
    private let progress: Progress?
    private var done = 0
    private var told = 0
    /// Telling costs more than most steps.
    private static let step = 128

    /// - Parameter progress: nil where nobody wants to know.
    /// - Parameter total: asked for only where somebody does.
    init(_ progress: Progress?, total: () throws -> Int) rethrows {
        self.progress = progress
        if let progress { progress.totalUnitCount = Int64(try total()) }
    }

    /// - Throws: `CocoaError.userCancelled` when the progress was cancelled.
    mutating func add(_ count: Int = 1) throws {
        guard let progress else { return }
        done += count
        guard done - told >= Self.step else { return }
        told = done
        progress.completedUnitCount = Int64(done)
        try progress.throwIfCancelled()
    }
}

extension Progress {
    func throwIfCancelled() throws {
        if isCancelled { throw CocoaError(.userCancelled) }
    }

    /// All is done, however much it was.
    func finish() {
        if totalUnitCount <= 0 { totalUnitCount = 1 }
        completedUnitCount = totalUnitCount
    }
}
