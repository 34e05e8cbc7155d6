extension PieceTable {
    /// A row's position: the index of its piece among all pieces, the leaf that holds it, and the row in the piece.
    struct Place {
        var leaf: Int
        var slot: Int
        var offset: Int

        var next: Place { Place(leaf: leaf, slot: slot + 1, offset: 0) }
    }

    /// Finds the row at `index`, or the gap before it, and adds `change` to all row counts on the way. The leaf reached
    /// has room for two more pieces.
    mutating func descend(to index: Int, adding change: Int) -> Place {
        if isFull(root, level: height) { growRoot() }
        var (node, rest, level) = (root, index, height)
        while level > 0 {
            var slot = findChild(of: node, &rest)
            if isFull(Int(children[slot]), level: level - 1) {
                splitChild(at: slot, of: node, level: level)
                if rest >= sizes[slot] {
                    rest -= sizes[slot]
                    slot += 1
                }
            }
            sizes[slot] += change
            node = Int(children[slot])
            level -= 1
        }
        let slot = findPiece(in: node, &rest)
        return Place(leaf: node, slot: slot, offset: rest)
    }

    /// Returns the child of the branch that holds the row at `rest`, the last if it is the gap after all rows; `rest`
    /// becomes the row's index in it.
    private func findChild(of branch: Int, _ rest: inout Int) -> Int {
        sizes.withUnsafeBufferPointer { sizes in
            let last = endOfChildren(of: branch) - 1
            var (slot, left) = (branch * Self.branchCapacity, rest)
            while slot < last, left >= sizes[slot] {
                left -= sizes[slot]
                slot += 1
            }
            rest = left
            return slot
        }
    }

    /// Returns the piece of the leaf that holds the row at `rest`, or the end of its pieces.
    private func findPiece(in leaf: Int, _ rest: inout Int) -> Int {
        lengths.withUnsafeBufferPointer { lengths in
            let end = endOfPieces(in: leaf)
            var (slot, left) = (leaf * Self.leafCapacity, rest)
            while slot < end, left >= lengths[slot] {
                left -= lengths[slot]
                slot += 1
            }
            rest = left
            return slot
        }
    }

    /// Makes room for `width` pieces at `place` by moving the later ones up.
    mutating func open(_ width: Int, at place: Place) {
        let later = place.slot..<endOfPieces(in: place.leaf)
        pieceCounts[place.leaf] += UInt8(width)
        lengths.move(later, by: width)
        sources.move(later, by: width)
    }

    /// Removes the piece at `place`.
    mutating func close(at place: Place) {
        let later = place.slot + 1..<endOfPieces(in: place.leaf)
        pieceCounts[place.leaf] -= 1
        lengths.move(later, by: -1)
        sources.move(later, by: -1)
    }
}

extension [Int] {
    /// Copies elements to a place so far away, where they may overlap with themselves.
    @inline(__always) fileprivate mutating func move(_ range: Range<Int>, by distance: Int) {
        withUnsafeMutableBufferPointer { elements in
            let first = elements.baseAddress! + range.lowerBound
            (first + distance).update(from: first, count: range.count)
        }
    }
}
