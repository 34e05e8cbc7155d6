import Foundation
import FileReading
import YapDatabase

/// The work of the browser's screen on a live file, without a screen: it steps to newer states in the background, a
/// fifth of the time, and carries a search along.
final class LiveBrowser {
    private let file: BrowsedFile
    private let list: BrowsedList
    private let following: Following
    private let isTold = Locked(false)
    private let step = Locked<Result<FileAdvance?, any Error>?>(nil)
    private var isStepping = false
    private var start = 0.0
    private(set) var steps = 0
    /// Seconds that a search waited for a newer state.
    private(set) var waits = 0.0
    var search: ListSearch?

    init(_ path: String) throws {
        file = try BrowsedFile(path: path)
        let subject = ListSubject.collection(StoredText("messages"), by: .key)
        let content = try ListContent(subject, file.snapshot, catalog: file.snapshot.catalog())
        try content.loadAll()
        list = BrowsedList(content)
        let isTold = isTold
        following = try Following(file.snapshot) { isTold.set(true) }
    }

    func close() { following.stop() }

    func beginSearch(_ text: String) { search = ListSearch(text, list.content, RowDecoder()) }

    /// Searches or waits for a moment, and switches to a newer state if there is one.
    func run() throws {
        try takeStep()
        if isTold.value, !isStepping, search?.isWalking != true { beginStep() }
        guard let search, !search.isDone else { return _ = usleep(5_000) }
        do {
            self.search = try search.advanced(until: .now + .milliseconds(60))
        } catch let error as YapDatabaseError where error.code == .reloadNeeded {
            if !isStepping { beginStep() }
            waits += passed {
                while isStepping, step.value == nil { usleep(1_000) }
            }
        }
    }

    private func beginStep() {
        (isStepping, start) = (true, Time.passed)
        isTold.set(false)
        let (next, step) = (file.step(lists: [(list, nil)]), step)
        Thread { step.set(Result { try next.prepare() }) }.start()
    }

    private func takeStep() throws {
        guard isStepping, let result = step.value else { return }
        step.set(nil)
        isStepping = false
        if let advance = try result.get() {
            let before = file.snapshot
            _ = file.advance(advance, lists: [list])
            search = search?.carried(to: list.content, touched: advance.touched)
            before.loosen()
            steps += 1
        }
        following.look(
            at: file.snapshot, after: min(1.5, max(0.1, 4 * (Time.passed - start))),
            patience: search?.isDone == false ? 1 : nil)
    }
}
