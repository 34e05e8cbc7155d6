import Foundation
import Testing

@testable import FileEngine

/// What meets a limit of descriptors names the limit, and what to do.
@Suite struct DescriptorLimitTests {
    @Test func whatMeetsTheLimitOfTheProcessNamesIt() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var low = limit
            low.rlim_cur = 3
            let openings: [(String, () throws -> Void)] = [
                ("watch", { _ = try FileWatch() }), ("presence", { _ = try Presence(path: "/etc/passwd") }),
                ("file", { _ = try UnopenedFile(path: "/etc/passwd") }),
            ]
            for (name, open) in openings {
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
                let result = Result { try open() }
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let error = #expect(throws: YapDatabaseError.self) { try result.get() }
                let text = error?.message ?? ""
                #expect(
                    text.contains("as it may have, 3. Close some, or raise the limit (`ulimit -n`)"), "\(name): \(text)"
                )
                #expect(error?.code == .cannotOpen && !text.contains("inotify"), "\(name): \(text)")
            }
        }
    }

    /// The system has one number for both limits.
    @Test func whereDescriptorsAreLeftTheLimitIsThatOfWatches() {
        #expect(FileWatch.refusal(EMFILE).message.contains("fs.inotify.max_user_instances"))
        #expect(FileWatch.refusal(EMFILE).code == .cannotOpen)
    }
}
