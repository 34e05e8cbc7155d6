import Dispatch

/// Whether the caller runs on the main queue, which in tests is not always the main thread.
func isOnMainQueue() -> Bool { DispatchQueue.getSpecific(key: mainQueueKey) != nil }

private let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()
