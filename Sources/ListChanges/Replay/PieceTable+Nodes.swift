extension PieceTable {
    /// Where a row is: the place of its piece among all pieces, the leaf that holds it, and the row in the piece.
    struct Place {
        var leaf: Int
        var slot: Int
        var offset: Int

        var next: Place { Place(leaf: leaf, slot: slot + 1, offset: 0) }
    }

    /// Finds the row at `index`, or the gap before it, and adds `change` to all row counts on the way. The leaf that
    /// it comes to has room for two more pieces.
    mutating func descend(to index: Int, adding change: Int) -> Place {
        if isFull(root, level: height) { growRoot() }
        var (node, rest, level) = (root, index, height)
        while level > 0 {
            let last = node * Self.branchCapacity + childCounts[node] - 1
            var slot = node * Self.branchCapacity
            while slot < last, rest >= sizes[slot] {
                rest -= sizes[slot]
                slot += 1
            }
            if isFull(children[slot], level: level - 1) {
                splitChild(at: slot, of: node, level: level)
                if rest >= sizes[slot] {
                    rest -= sizes[slot]
                    slot += 1
                }
            }
            sizes[slot] += change
            node = children[slot]
            level -= 1
        }
        var slot = node * Self.leafCapacity
        let end = slot + pieceCounts[node]
        while slot < end, rest >= pieces[slot].length {
            rest -= pieces[slot].length
            slot += 1
        }
        return Place(leaf: node, slot: slot, offset: rest)
    }

    /// Makes room for `width` pieces at `place`, moving what is there and behind it up.
    mutating func open(_ width: Int, at place: Place) {
        var slot = place.leaf * Self.leafCapacity + pieceCounts[place.leaf]
        while slot > place.slot {
            slot -= 1
            pieces[slot + width] = pieces[slot]
        }
        pieceCounts[place.leaf] += width
    }

    /// Drops the piece at `place`.
    mutating func close(at place: Place) {
        pieceCounts[place.leaf] -= 1
        let end = place.leaf * Self.leafCapacity + pieceCounts[place.leaf]
        for slot in place.slot..<end { pieces[slot] = pieces[slot + 1] }
    }

    private func isFull(_ node: Int, level: Int) -> Bool {
        level == 0 ? pieceCounts[node] > Self.leafCapacity - 2 : childCounts[node] == Self.branchCapacity
    }

    private mutating func growRoot() {
        let old = root
        root = appendBranch()
        children[root * Self.branchCapacity] = old
        sizes[root * Self.branchCapacity] = count
        childCounts[root] = 1
        height += 1
        splitChild(at: root * Self.branchCapacity, of: root, level: height)
    }

    /// Moves the upper half of the child at `slot` into a new node beside it.
    private mutating func splitChild(at slot: Int, of node: Int, level: Int) {
        let (sibling, moved) = level == 1 ? splitLeaf(children[slot]) : splitBranch(children[slot])
        var last = node * Self.branchCapacity + childCounts[node]
        while last > slot + 1 {
            children[last] = children[last - 1]
            sizes[last] = sizes[last - 1]
            last -= 1
        }
        childCounts[node] += 1
        children[slot + 1] = sibling
        sizes[slot + 1] = moved
        sizes[slot] -= moved
    }

    private mutating func splitLeaf(_ leaf: Int) -> (sibling: Int, moved: Int) {
        let (kept, sibling) = (pieceCounts[leaf] / 2, pieceCounts.count)
        let upper = leaf * Self.leafCapacity + kept..<leaf * Self.leafCapacity + pieceCounts[leaf]
        pieces.append(contentsOf: pieces[upper])
        pieces.append(contentsOf: repeatElement(.unused, count: Self.leafCapacity - upper.count))
        pieceCounts.append(upper.count)
        pieceCounts[leaf] = kept
        return (sibling, pieces[upper].reduce(0) { $0 + $1.length })
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
        childCounts[branch] = kept
        childCounts[sibling] = Self.branchCapacity - kept
        return (sibling, moved)
    }

    private mutating func appendBranch() -> Int {
        children.append(contentsOf: repeatElement(0, count: Self.branchCapacity))
        sizes.append(contentsOf: repeatElement(0, count: Self.branchCapacity))
        childCounts.append(0)
        return childCounts.count - 1
    }
}
