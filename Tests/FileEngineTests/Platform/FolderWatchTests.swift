import Dispatch
import Foundation
import TestSupport
import Testing

@testable import FileEngine

@Suite struct FolderWatchTests {
    /// Watches `app` and `app-wal` of a folder, of which only the first exists. Nothing reads the events before
    /// `resume`.
    private final class Scene {
        let folder: URL
        let queue = DispatchQueue(label: "FolderWatchTests")
        let calls = DispatchSemaphore(value: 0)
        let watch: FileWatch

        init(_ folder: URL) throws {
            self.folder = folder
            try Data("1".utf8).write(to: folder.appending(path: "app"))
            queue.suspend()
            watch = try FileWatch(queue: queue)
            _ = try watch.add(["app", "app-wal"], in: folder.path) { [calls] in calls.signal() }
        }

        func append(_ name: String) throws {
            let descriptor = open(folder.appending(path: name).path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0)
            #expect(write(descriptor, "x", 1) == 1)
            close(descriptor)
        }

        /// The number of bytes of pending events.
        var waiting: Int {
            var count: Int32 = 0
            return ioctl(watch.descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
        }

        /// All events of what was written before are consumed first; later ones belong to this write.
        func expectCallOfNextWrite(to name: String) throws {
            queue.sync {}
            while calls.wait(timeout: .now() + 0.2) == .success {}
            try append(name)
            #expect(isCalled)
        }

        var isCalled: Bool { calls.wait(timeout: .now() + 20) == .success }
    }

    @Test func writesToOtherFilesOfABusyFolderWakeNoWatch() throws {
        try withTemporaryFolder { folder in
            try Data().write(to: folder.appending(path: "other"))
            let scene = try Scene(folder)
            for _ in 0..<100 { try scene.append("other") }
            #expect(scene.waiting == 0)
            try scene.append("app")
            #expect(scene.waiting > 0)
            scene.queue.resume()
            #expect(scene.isCalled)
        }
    }

    @Test func aLogThatComesLaterIsWatchedToo() throws {
        try withTemporaryFolder { folder in
            let scene = try Scene(folder)
            scene.queue.resume()
            try scene.append("app-wal")
            #expect(scene.isCalled)
            try scene.expectCallOfNextWrite(to: "app-wal")
        }
    }

    @Test func aFileThatIsReplacedIsWatchedFurther() throws {
        try withTemporaryFolder { folder in
            let scene = try Scene(folder)
            scene.queue.resume()
            try scene.append("new")
            #expect(rename(folder.appending(path: "new").path, folder.appending(path: "app").path) == 0)
            #expect(scene.isCalled)
            try scene.expectCallOfNextWrite(to: "app")
        }
    }
}
