extension PieceTable {
    /// Whether the node has too little room for what one operation may add.
    func isFull(_ node: Int, level: Int) -> Bool {
        level == 0 ? pieceCounts[node] > Self.leafCapacity - 2 : childCounts[node] == Self.branchCapacity
    }

    /// Adds a new root above the full one.
    mutating func growRoot() {
        let old = root
        root = appendBranch()
        children[root * Self.branchCapacity] = Int32(old)
        sizes[root * Self.branchCapacity] = count
        childCounts[root] = 1
        height += 1
        splitChild(at: root * Self.branchCapacity, of: root, level: height)
    }

    /// Moves the upper half of the child at `slot` into a new node beside it.
    mutating func splitChild(at slot: Int, of node: Int, level: Int) {
        let (sibling, moved) = level == 1 ? splitLeaf(Int(children[slot])) : splitBranch(Int(children[slot]))
        var last = endOfChildren(of: node)
        while last > slot + 1 {
            children[last] = children[last - 1]
            sizes[last] = sizes[last - 1]
            last -= 1
        }
        childCounts[node] += 1
        children[slot + 1] = Int32(sibling)
        sizes[slot + 1] = moved
        sizes[slot] -= moved
    }

    private mutating func splitLeaf(_ leaf: Int) -> (sibling: Int, moved: Int) {
        let (kept, sibling) = (Int(pieceCounts[leaf]) / 2, pieceCounts.count)
        let upper = leaf * Self.leafCapacity + kept..<endOfPieces(in: leaf)
        var moved = 0
        for slot in upper {
            moved += lengths[slot]
            lengths.append(lengths[slot])
            sources.append(sources[slot])
        }
        for _ in upper.count..<Self.leafCapacity {
            lengths.append(0)
            sources.append(0)
        }
        pieceCounts.append(UInt8(upper.count))
        pieceCounts[leaf] = UInt8(kept)
        return (sibling, moved)
    }

    private mutating func splitBranch(_ branch: Int) -> (sibling: Int, moved: Int) {
        let (kept, sibling) = (Self.branchCapacity / 2, appendBranch())
        var moved = 0
        for step in kept..<Self.branchCapacity {
            let (from, to) = (branch * Self.branchCapacity + step, sibling * Self.branchCapacity + step - kept)
            children[to] = children[from]
            sizes[to] = sizes[from]
            moved += sizes[from]
        }
        childCounts[branch] = UInt8(kept)
        childCounts[sibling] = UInt8(Self.branchCapacity - kept)
        return (sibling, moved)
    }

    private mutating func appendBranch() -> Int {
        children.append(contentsOf: repeatElement(0, count: Self.branchCapacity))
        sizes.append(contentsOf: repeatElement(0, count: Self.branchCapacity))
        childCounts.append(0)
        return childCounts.count - 1
    }
}
