import Foundation
import LiveTable

/// Runs the lab until the user quits, and returns the exit code.
///
/// - Throws: if there is no terminal, or if the file to open cannot be read.
@MainActor public func runLab(_ options: LabOptions) throws -> Int32 {
    let entries = try options.entries()
    let keys = try LabKeys(options.keys)
    let screen = try Screen()
    defer { screen.close() }
    let loop = try EventLoop(screen: screen)
    var kept: LabDatabase?
    if let url = options.database {
        let theme = Theme(depth: screen.colors, unicode: options.unicode, background: screen.background)
        let opened = try loop.wait(for: { try LabDatabase.playground(keeping: url) }) { _ in
            .opening(url.lastPathComponent, size: screen.size, theme: theme)
        }
        switch opened {
        case .done(let database): kept = database
        case .ended(let end): return end.exitCode
        }
    }
    let folder = try ScratchFolder()
    let result = Result {
        let shelf = LabShelf(folder: folder, keeping: kept, seed: options.seed)
        let lab = try LabScreen(
            options, keys: keys, entries: entries.all, opening: entries.first ?? shelf.firstOfInterest(entries.all),
            shelf: shelf, depth: screen.colors, background: screen.background, size: screen.size,
            write: LabScreen.commitInBackground, now: loop.now)
        if !lab.stage.entry.about.isEmpty { try lab.explain() }
        let observer = ForeignCommitObserver { lab.followForeignCommit(of: $0) }
        let end = loop.run(lab)
        observer.stop()
        screen.close()
        // Pending writes are waited for; a signal may end the wait.
        if lab.state.work != nil { Terminal.unblockSignals() }
        lab.state.failedCommit = nil
        try lab.stage.close()
        try kept?.close()
        loop.drainMainQueue()
        if let error = lab.state.failedCommit { throw error }
        return end.exitCode
    }
    let closing = Result { try kept?.close() }
    try folder.remove()
    try closing.get()
    return try result.get()
}

extension LabOptions {
    /// Returns the entries, and the one to open first; nil for the first with a flaw.
    fileprivate func entries() throws -> (all: [LabEntry], first: Int?) {
        switch opening {
        case .playground: return ([.playground], 0)
        case .file(let path): return (try ScenarioFile.entries(at: path), nil)
        case .gallery(let name):
            guard let index = LabEntry.examples.firstIndex(where: { $0.name == name }) else {
                throw LabRefusal("The gallery has no \"\(name)\". `yap lab --gallery` lists what it has.")
            }
            return (LabEntry.examples, index)
        }
    }
}
