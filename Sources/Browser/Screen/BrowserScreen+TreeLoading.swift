import FileReading
import ScreenPrograms
import FileEngine

/// The state of finding out, in the background, what the tree does not know at once.
struct TreeLoading {
    /// The items to count or read, in this order.
    var items: [TreeItem] = []
    var isUnderWay = false
    /// When it last finished and how long it took, in seconds of the screen's clock.
    var end = -Double.infinity
    var time = 0.0
    /// The state of the file in which the present count began.
    var snapshot: FileSnapshot?

    /// Returns a pause such that continuous commits take a tenth of the time, but short enough for changes to be seen.
    func delay(at now: Double) -> Double { max(0, end + min(1.5, max(0.2, time * 10)) - now) }
}

extension BrowserScreen {
    /// Finds out what the tree does not know yet: pages of views first, then counts of collections. Work under way
    /// continues in the newest state; counts that this makes inexact are repeated once.
    func loadTree() {
        guard !state.treeLoading.isUnderWay, let known = tree.known, !known.toLoad.isEmpty else { return }
        state.treeLoading.isUnderWay = true
        let request = state.reading.counts.begin()
        let delay = state.treeLoading.delay(at: now())
        guard delay > 0 else { return beginLoading(request) }
        background.run(after: delay) {
        } then: { [weak self] _ in
            self?.beginLoading(request)
        }
    }

    private func beginLoading(_ request: Int) {
        guard state.reading.counts.isCurrent(request) else { return }
        state.treeLoading.items = tree.known?.toLoad ?? []
        loadNext(request, since: now())
    }

    private func loadNext(_ request: Int, since start: Double) {
        guard state.reading.counts.isCurrent(request) else { return }
        guard !state.treeLoading.items.isEmpty else { return endLoading(since: start) }
        state.treeLoading.snapshot = file.snapshot
        switch state.treeLoading.items.removeFirst() {
        case .view(let view): loadPages(ofView: view, request, since: start)
        case .collection(let collection):
            // Only now is the row's place in its groups known.
            if row.loaded?.places.contains(where: { $0.placeInGroup == nil }) == true { refreshRow() }
            count(collection, nil, request, since: start)
        default: loadNext(request, since: start)
        }
    }

    private func endLoading(since start: Double) {
        if row.loaded?.places.contains(where: { $0.placeInGroup == nil }) == true { refreshRow() }
        state.treeLoading.isUnderWay = false
        state.treeLoading.time = now() - start
        state.treeLoading.end = now()
        // Not without other work in between: a failed attempt must not be repeated endlessly.
        if state.treeLoading.time > 0 { loadTree() }
    }

    private func loadPages(ofView view: String, _ request: Int, since start: Double) {
        let snapshot = file.snapshot
        background.run {
            try snapshot.pages(ofView: view)
        } then: { [weak self] result in
            self?.apply(request, since: start) { known, isNewest in
                switch result {
                case .success(let pages): known.record(pages, isNewest: isNewest)
                case .failure(let error) where error.isGone: break
                case .failure(let error): known.fail(view: view, "\(error)")
                }
            }
        }
    }

    /// Counts for a moment, shows the progress, and continues after the last counted key, in whatever state the file is
    /// by then.
    private func count(_ collection: StoredText, _ order: KeyOrder?, _ request: Int, since start: Double) {
        let snapshot = file.snapshot
        background.run {
            let order = try order ?? snapshot.order(ofCollection: collection)
            let end = ContinuousClock.now + .milliseconds(60)
            while ContinuousClock.now < end, try snapshot.work({ try order.loadMore($0) }) {}
            return order
        } then: { [weak self] result in
            guard let self, state.reading.counts.isCurrent(request) else { return }
            switch result {
            case .success(let order) where !order.count.isComplete:
                show { $0.record(order.count, of: collection) }
                count(collection, order, request, since: start)
            case .success(let counted):
                apply(request, since: start) { $0.record(counted.count, of: collection, isNewest: $1) }
            case .failure(let error) where error.isGone:
                // The newest state is being opened.
                report(error)
                background.run(after: 0.1) {
                } then: { [weak self] _ in
                    self?.goOn(counting: collection, order, request, since: start)
                }
            case .failure(let error):
                // A collection that cannot be counted must not block the others.
                apply(request, since: start) { known, _ in known.fail(counting: collection, error) }
            }
        }
    }

    private func goOn(counting collection: StoredText, _ order: KeyOrder?, _ request: Int, since start: Double) {
        guard state.reading.counts.isCurrent(request) else { return }
        // If no newer state has arrived, a later attempt may find one.
        guard state.treeLoading.snapshot !== file.snapshot else { return loadNext(request, since: start) }
        count(collection, order, request, since: start)
    }

    private func apply(_ request: Int, since start: Double, _ change: (inout TreeKnowledge, _ isNewest: Bool) -> Void) {
        guard state.reading.counts.isCurrent(request) else { return }
        let isNewest = state.treeLoading.snapshot === file.snapshot
        show { change(&$0, isNewest) }
        loadNext(request, since: start)
    }

    private func show(_ change: (inout TreeKnowledge) -> Void) {
        tree.update(at: now(), change)
        state.screen.redraw()
    }
}

extension Error {
    /// Whether the state being read no longer exists.
    var isGone: Bool { (self as? YapDatabaseError)?.code == .reloadNeeded }
}
