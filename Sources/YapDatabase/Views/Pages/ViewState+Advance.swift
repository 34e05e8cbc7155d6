import FileEngine
import ListChanges
import ViewPageKeys

/// Follows commits of other processes that say which pages they changed.
extension ViewState {
    /// More are loaded together with all others.
    private static let maxPages = 256

    func advanced(by logs: [any ExtensionLog], of name: String, in store: Store) throws -> (any ExtensionState)? {
        guard unstored == nil else { return nil }
        var changed: Set<PageName> = []
        for log in logs {
            guard let log = log as? ViewLog, !log.isIncomplete, let pages = log.pages else { return nil }
            changed.formUnion(pages)
            if changed.count > Self.maxPages { return nil }
        }
        if changed.isEmpty { return self }
        return try advanced(to: changed, of: name, in: store)
    }

    /// Replaces pages by what the file has under their names. O(k log n) for k pages.
    ///
    /// A record names the pages, the file says what they are, and whether the others are still their neighbours is checked. Nil if they are
    /// not, or if there is no room for a label: then all are loaded.
    private func advanced(to changed: Set<PageName>, of view: String, in store: Store) throws -> ViewState? {
        var next = self
        next.hasSummary = false
        var neighbours: Set<PageName> = []
        for page in changed {
            guard let address = addresses[page], let list = groups[address.group] else { continue }
            if let after = list.pages.element(after: address.label) { neighbours.insert(after.value.content.name) }
            next.remove(page, at: address)
        }
        var waiting: [PageName?: [(head: PageHead, name: PageName)]] = [:]
        for page in changed {
            guard let head = try store.head(ofPage: page.uuidText, view: view) else { continue }
            waiting[head.previous.map(PageName.init), default: []].append((head, page))
        }
        guard
            waiting.allSatisfy({
                $0 == nil ? Set($1.map { ExactString($0.head.group) }).count == $1.count : $1.count == 1
            })
        else { return nil }
        // First pages of groups, then those whose predecessor is there.
        var ready = waiting.removeValue(forKey: nil) ?? []
        for name in waiting.keys.compactMap(\.self) where next.addresses[name] != nil {
            ready += waiting.removeValue(forKey: name) ?? []
        }
        while let (head, name) = ready.popLast() {
            guard next.insert(name, head) else { return nil }
            ready += waiting.removeValue(forKey: name) ?? []
            if let after = next.page(after: name) { neighbours.insert(after) }
        }
        guard waiting.isEmpty, neighbours.subtracting(changed).allSatisfy({ page(before: $0) == next.page(before: $0) })
        else { return nil }
        return next
    }

    private mutating func remove(_ page: PageName, at address: PageAddress) {
        let isLast = groups.update(address.group) { list in
            list.pages.remove(address.label)
            return list.pages.isEmpty
        }
        if isLast { groups.remove(address.group) }
        addresses.remove(page)
    }

    /// - Returns: false if its place is taken, or if there is no label for it.
    private mutating func insert(_ name: PageName, _ head: PageHead) -> Bool {
        let page = Page(count: head.count, content: PageContent(PageKey(uuid: name), record: head.record))
        guard head.count > 0, let label = label(after: head.previous.map(PageName.init), inGroup: head.group) else {
            return false
        }
        if groups[head.group] == nil { groups.insert(PageList(), for: head.group) }
        groups.update(head.group) { $0.pages.insert(page, for: label) }
        addresses.insert(PageAddress(group: head.group, label: label), for: name)
        return true
    }

    private func label(after previous: PageName?, inGroup group: String) -> Int64? {
        guard let list = groups[group] else { return previous == nil ? 0 : nil }
        guard let previous else { return list.pages.first.map { $0.key - pageLabelGap } }
        guard let address = addresses[previous], address.group.hasSameBytes(as: group) else { return nil }
        guard let after = list.pages.element(after: address.label) else { return address.label + pageLabelGap }
        let middle = address.label + (after.key - address.label) / 2
        return middle == address.label ? nil : middle
    }

    private func page(after name: PageName) -> PageName? {
        addresses[name].flatMap { groups[$0.group]?.pages.element(after: $0.label)?.value.content.name }
    }

    private func page(before name: PageName) -> PageName? {
        addresses[name].flatMap { groups[$0.group]?.pages.element(before: $0.label)?.value.content.name }
    }
}

/// What the table of pages says of a page besides its rows.
private struct PageHead {
    let record: Int64
    let group: String
    let previous: String?
    let count: Int
}

extension Store {
    fileprivate func head(ofPage page: String, view: String) throws -> PageHead? {
        try first(
            #"SELECT rowid, "group", "prevPageKey", "count" FROM \#(pageTable(view)) WHERE "pageKey" = ?"#,
            bind: { try $0.bind(page, at: 1) },
            read: {
                PageHead(
                    record: $0.int64(at: 0), group: $0.text(at: 1) ?? "", previous: $0.text(at: 2),
                    count: Int($0.int64(at: 3)))
            })
    }
}
