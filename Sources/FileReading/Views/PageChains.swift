/// The pages of a view while they are put in order: each names its predecessor.
struct PageChains {
    struct Page {
        var rowid: Int64
        /// The index of the group's name.
        var group: Int
        var count: Int
        var key: PageName
        /// Nil for a first page.
        var previous: PageName?
    }

    private(set) var pages: [Page] = []
    private(set) var names: [String] = []
    private var positions: [PageName: Int] = [:]
    private var groups: [PageName: Int] = [:]
    /// Neighbouring pages of the table often belong to the same group.
    private var lastGroup: (name: [UInt8], position: Int)?

    /// Reserves capacity for about `count` pages.
    mutating func expect(pages count: Int) {
        pages.reserveCapacity(count)
        positions.reserveCapacity(count)
    }

    /// Returns the index of a group's name and adds the name if it is new.
    mutating func group(named bytes: UnsafeRawBufferPointer) -> Int {
        if let lastGroup, lastGroup.name.elementsEqual(bytes) { return lastGroup.position }
        let name = PageName(bytes)
        let position = groups[name] ?? names.count
        if position == names.count {
            groups[name] = position
            names.append(String(decoding: bytes, as: UTF8.self))
        }
        lastGroup = (Array(bytes), position)
        return position
    }

    /// Adds a page.
    /// - Returns: false if another page has the same key. The page is added in either case.
    mutating func add(_ page: Page) -> Bool {
        pages.append(page)
        let known = positions.updateValue(pages.count - 1, forKey: page.key)
        if let known { positions[page.key] = known }
        return known == nil
    }

    /// Returns every page once: in each group first the chain from its first page, then the unreachable pages. O(p).
    func order(damaged: (String) -> Void) -> [Int] {
        let (successors, heads, strays) = links(damaged: damaged)
        var order: [Int] = []
        order.reserveCapacity(pages.count)
        var isPlaced = Array(repeating: false, count: pages.count)
        func follow(_ head: Int) {
            var next = head
            while next >= 0, !isPlaced[next] {
                isPlaced[next] = true
                order.append(next)
                next = Int(successors[next])
            }
        }
        heads.forEach(follow)
        strays.forEach(follow)
        for page in pages.indices where !isPlaced[page] {
            damaged("The pages of group \"\(names[pages[page].group])\" form a circle.")
            follow(page)
        }
        return order
    }

    /// Returns the successor of each page, -1 for none; the first pages; and the pages whose predecessor is missing or
    /// has a successor already.
    private func links(damaged: (String) -> Void) -> (successors: [Int32], heads: [Int], strays: [Int]) {
        var successors = Array(repeating: Int32(-1), count: pages.count)
        var heads: [Int] = []
        var strays: [Int] = []
        var hasHead = Array(repeating: false, count: names.count)
        for (position, page) in pages.enumerated() {
            let name = names[page.group]
            guard let previous = page.previous else {
                if hasHead[page.group] { damaged("The group \"\(name)\" has two first pages.") }
                hasHead[page.group] = true
                heads.append(position)
                continue
            }
            if let before = positions[previous], pages[before].group == page.group, successors[before] < 0 {
                successors[before] = Int32(position)
            } else {
                damaged(
                    positions[previous] == nil
                        ? "A page of group \"\(name)\" follows one that does not exist."
                        : "The pages of group \"\(name)\" fork, or one follows a page of another group.")
                strays.append(position)
            }
        }
        for (group, name) in names.enumerated() where !hasHead[group] {
            damaged("The group \"\(name)\" has no first page.")
        }
        return (successors, heads, strays)
    }
}

/// A page's key, or a group's name, as two numbers: two names are the same exactly when their numbers are.
///
/// The first is made with a secret of this process, so that no file can be written whose names collide; the second, of
/// bytes at both ends, makes sure that among millions of names none do by chance.
struct PageName: Hashable {
    private let secret: Int
    private let ends: UInt64

    init(_ bytes: UnsafeRawBufferPointer) {
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        secret = hasher.finalize()
        ends =
            bytes.count < 8
            ? UInt64(bytes.count)
            : bytes.loadUnaligned(as: UInt64.self)
                ^ bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self).byteSwapped
    }

    func hash(into hasher: inout Hasher) { hasher.combine(secret) }
}
