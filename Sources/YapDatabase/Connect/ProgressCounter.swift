import Foundation

/// Counts completed work, reports it to a `Progress` at intervals, and throws when the progress is cancelled.
struct ProgressCounter {
    private let progress: Progress?
    private var done = 0
    private var reported = 0
    /// Reporting costs more than most steps.
    private static let step = 128

    /// - Parameter progress: nil if no progress is wanted.
    /// - Parameter total: called only if there is a progress.
    init(_ progress: Progress?, total: () throws -> Int) rethrows {
        self.progress = progress
        // A part of no work at all would divide by zero in Foundation when its parent adds it up.
        if let progress { progress.totalUnitCount = Int64(max(1, try total())) }
    }

    /// - Throws: `CocoaError.userCancelled` when the progress was cancelled.
    mutating func add(_ count: Int = 1) throws {
        guard let progress else { return }
        done += count
        guard done - reported >= Self.step else { return }
        reported = done
        progress.completedUnitCount = Int64(done)
        try progress.throwIfCancelled()
    }
}

extension Progress {
    func throwIfCancelled() throws {
        if isCancelled { throw CocoaError(.userCancelled) }
    }

    /// Reports all work as completed, whatever its amount.
    func finish() {
        if totalUnitCount <= 0 { totalUnitCount = 1 }
        completedUnitCount = totalUnitCount
    }
}
