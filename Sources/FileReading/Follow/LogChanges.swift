import SQLiteBridge

/// What the log says about the changes from one state to another.
struct LogChanges: Sendable {
    var rows = TouchedRows.all
    /// Nil if unknown.
    var keys: TouchedKeys?

    init(from old: FileSnapshot, to new: FileSnapshot) {
        guard let before = old.log, let after = new.log, let layout = try? new.pageLayout(), old.path == new.path,
            // The log of another file may look alike.
            new.isOfSameFile(as: old)
        else { return }
        var log = old.writtenBeforeRelease ?? LogPages(from: before)
        guard log.read(new.path, to: after, isStill: { new.newestLog.map { $0.salt == after.salt } ?? false }) else {
            return
        }
        let pages = TreePages(log.pages, pageSize: after.pageSize, layout)
        rows = pages.rowids().map(TouchedRows.some) ?? .all
        if (try? new.hasKeyIndex()) == true { keys = pages.keys().map(TouchedKeys.init) }
    }
}
