import FileBrowser
import LiveTable

extension BrowserScreen {
    /// A writer that commits all the time has counts found out anew a tenth of the time.
    var learningPause: Double { min(30, learningTime * 10) }

    /// Finds out in the background what the tree does not know yet: pages of views first, then counts of collections.
    func learnTree(after delay: Double = 0) {
        let request = countRequests.begin()
        guard delay > 0 else { return learnNext(request, since: now()) }
        background.run(after: delay) {
        } then: { [weak self] _ in
            guard let self else { return }
            learnNext(request, since: now())
        }
    }

    private func learnNext(_ request: Int, since start: Double) {
        guard countRequests.isCurrent(request), let known = tree.known else { return }
        if let view = known.viewToLearn { return learn(view: view, request, since: start) }
        // Where a row stands in its groups is known only now.
        if row.loaded?.places.contains(where: { $0.placeInGroup == nil }) == true { refreshRow() }
        if let collection = known.collectionToLearn { return count(collection, nil, request, since: start) }
        learningTime = now() - start
    }

    private func learn(view: String, _ request: Int, since start: Double) {
        let snapshot = file.snapshot
        background.run {
            try snapshot.pages(ofView: view)
        } then: { [weak self] result in
            self?.take(request, since: start) { known in
                switch result {
                case .success(let pages): known.learn(pages)
                case .failure(let error): known.fail(view: view, error)
                }
            }
        }
    }

    /// Counts for a moment, shows how far it came, and goes on.
    private func count(_ collection: StoredText, _ order: KeyOrder?, _ request: Int, since start: Double) {
        let snapshot = file.snapshot
        background.run {
            let order = try order ?? snapshot.order(ofCollection: collection)
            let end = ContinuousClock.now + .milliseconds(60)
            while ContinuousClock.now < end, try snapshot.work({ try order.learn($0) }) {}
            return order
        } then: { [weak self] result in
            guard let self, countRequests.isCurrent(request) else { return }
            switch result {
            case .success(let order) where !order.count.isComplete:
                show { $0.learn(order.count, of: collection) }
                count(collection, order, request, since: start)
            case .success(let order): take(request, since: start) { $0.learn(order.count, of: collection) }
            case .failure(let error):
                // One collection that cannot be counted must not keep the others from it.
                take(request, since: start) { $0.fail(counting: collection, error) }
            }
        }
    }

    private func take(_ request: Int, since start: Double, _ change: (inout TreeKnowledge) -> Void) {
        guard countRequests.isCurrent(request) else { return }
        show(change)
        learnNext(request, since: start)
    }

    private func show(_ change: (inout TreeKnowledge) -> Void) {
        tree.update(at: now(), change)
        changed()
    }
}
