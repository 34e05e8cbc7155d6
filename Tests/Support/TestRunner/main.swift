import Foundation

// Runs the tests of a built bundle in several processes, one test after the other in each. So a test's time is its own, a
// crash costs one test, and the processors are shared by few tests at a time.
//
//     test-runner BUNDLE LOG [--filter REGEX] [--skip REGEX] [--workers N] [--limit SECONDS]
//
// The last lines are the dearest tests, what failed, and `N passed, N failed, N skipped`. The exit code is 0 if all passed,
// 1 if not, 2 for wrong arguments, 124 if the tests did not end within the limit.

do {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    exit(try TestRun(options).run())
} catch {
    FileHandle.standardError.write(Data("test-runner: \(error)\n".utf8))
    exit(2)
}
