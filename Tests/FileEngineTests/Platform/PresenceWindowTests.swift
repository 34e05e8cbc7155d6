import Foundation
import TestSupport
import Testing

@testable import FileEngine

/// The time in which one process keeps the others from committing. Two open files are as good as two processes.
@Suite struct PresenceWindowTests {
    /// A child process has copies of all descriptors until it runs its program.
    @Test func oneThatEndsIsGoneAlthoughAChildSharesItsOpenFile() throws {
        try withTemporaryFolder { folder throws in
            let path = folder.appending(path: "file").path
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let stays = try Presence(path: path)
            let before = try descriptors(of: path)
            var ends: Presence? = try Presence(path: path)
            let copies = try descriptors(of: path).subtracting(before).map { dup($0) }
            defer { for copy in copies { close(copy) } }
            #expect(copies.count == 1 && stays.hasOthers)
            withExtendedLifetime(ends) {}
            ends = nil
            #expect(!stays.hasOthers)
        }
    }

    private func descriptors(of path: String) throws -> Set<Int32> {
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        return Set(
            all.filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path })
    }

    @Test func othersPassWhileItIsOpenAndTheOwnerWaitsForThem() throws {
        try withTemporaryFolder { folder throws in
            let path = folder.appending(path: "file").path
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let (owner, other, third) = (
                try Presence(path: path), try Presence(path: path), try Presence(path: path)
            )
            #expect(owner.hasOthers && other.hasOthers)
            #expect(!other.isWindowOpen && other.inWindow { true } == nil)
            #expect(owner.openWindow())
            #expect(!owner.isWindowOpen, "its own is none to it")
            #expect(other.isWindowOpen && !other.openWindow())
            #expect(other.inWindow { third.inWindow { true } } == true, "several at once")

            let (inside, isOver) = (DispatchSemaphore(value: 0), Locked(false))
            let end = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                _ = other.inWindow {
                    inside.signal()
                    // Time is the subject: the owner that does not wait for this one is too early.
                    usleep(100_000)
                    isOver.withLock { $0 = true }
                }
                end.signal()
            }
            try inside.wait(for: "the one inside")
            owner.closeWindow()
            #expect(isOver.withLock { $0 }, "it is empty when it ends")
            try end.wait(for: "the thread")
            #expect(!other.isWindowOpen && other.inWindow { true } == nil)
            #expect(other.openWindow() && owner.isWindowOpen)
            other.closeWindow()
        }
    }

    /// A process that dies with the window open leaves none.
    @Test func aWindowEndsWithItsOwner() throws {
        try withTemporaryFolder { folder throws in
            let path = folder.appending(path: "file").path
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let other = try Presence(path: path)
            var owner: Presence? = try Presence(path: path)
            #expect(owner?.openWindow() == true && other.isWindowOpen)
            owner = nil
            #expect(!other.isWindowOpen && other.openWindow())
        }
    }

    /// A process that dies during its checkpoint leaves the next one to others.
    @Test func oneProcessAtATimeMakesACheckpoint() throws {
        try withTemporaryFolder { folder throws in
            let path = folder.appending(path: "file").path
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let other = try Presence(path: path)
            var owner: Presence? = try Presence(path: path)
            #expect(owner?.beginCheckpoint() == true && !other.beginCheckpoint())
            owner?.endCheckpoint()
            #expect(other.beginCheckpoint() && owner?.beginCheckpoint() == false)
            other.endCheckpoint()
            #expect(owner?.beginCheckpoint() == true)
            owner = nil
            #expect(other.beginCheckpoint())
        }
    }
}
