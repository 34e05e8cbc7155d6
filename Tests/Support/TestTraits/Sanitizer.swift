import Foundation

/// Which sanitizer the tests were built with, for those that it cannot run.
public enum Sanitizer {
    /// It handles the signals of crashes itself, and takes Swift's backtracer for one.
    public static let isOfAddresses = isLinked("__asan_init")
    /// It makes the program several times as slow, and opens files itself.
    public static let isOfThreads = isLinked("__tsan_init")
    public static let isPresent = isOfAddresses || isOfThreads

    private static func isLinked(_ symbol: String) -> Bool { dlsym(nil, symbol) != nil }
}
