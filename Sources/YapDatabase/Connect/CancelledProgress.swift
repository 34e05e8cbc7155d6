import Foundation

/// Awaits work that runs on a queue, is told to end by a progress, and calls back with its result. Cancelling the task cancels the progress.
///
/// - Throws: what the work throws; `CancellationError` in place of `CocoaError.userCancelled` if the task was cancelled.
func cancelling<Value: Sendable>(
    _ progress: Progress,
    _ begin: (Progress, _ finish: @escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) async throws -> Value {
    try Task.checkCancellation()
    do {
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(progress) { continuation.resume(with: $0) }
            }
        } onCancel: {
            progress.cancel()
        }
    } catch let error where error.isCancellation {
        try Task.checkCancellation()
        throw error
    }
}
