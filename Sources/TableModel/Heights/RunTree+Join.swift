extension RunTree {
    /// Splits a tree before a row; a run that contains the row is cut.
    mutating func split(_ link: Link, at rows: Int) -> (front: Link, back: Link) {
        guard link != Self.none else { return (Self.none, Self.none) }
        let before = sum(of: nodes[link].left).rows
        let run = nodes[link].run
        if rows <= before {
            let (front, back) = split(nodes[link].left, at: rows)
            nodes[link].left = back
            update(link)
            return (front, link)
        }
        if rows >= before + run.rows {
            let (front, back) = split(nodes[link].right, at: rows - before - run.rows)
            nodes[link].right = front
            update(link)
            return (link, back)
        }
        let right = nodes[link].right
        nodes[link].run.rows = rows - before
        nodes[link].right = Self.none
        update(link)
        return (link, merged(node(HeightRun(rows: before + run.rows - rows, height: run.height)), right))
    }

    /// Joins two trees. Equal runs at the seam become one.
    mutating func joined(_ front: Link, _ back: Link) -> Link {
        guard let last = outermost(front, \.right), let first = outermost(back, \.left), last.height == first.height
        else { return merged(front, back) }
        let (seam, rest) = split(back, at: first.rows)
        free(seam)
        lengthenLast(of: front, by: first.rows)
        return merged(front, rest)
    }

    private mutating func merged(_ front: Link, _ back: Link) -> Link {
        if front == Self.none { return back }
        if back == Self.none { return front }
        if nodes[front].priority > nodes[back].priority {
            nodes[front].right = merged(nodes[front].right, back)
            update(front)
            return front
        }
        nodes[back].left = merged(front, nodes[back].left)
        update(back)
        return back
    }

    private func outermost(_ link: Link, _ side: KeyPath<Node, Link>) -> HeightRun? {
        guard link != Self.none else { return nil }
        var link = link
        while nodes[link][keyPath: side] != Self.none { link = nodes[link][keyPath: side] }
        return nodes[link].run
    }

    private mutating func lengthenLast(of link: Link, by rows: Int) {
        if nodes[link].right == Self.none {
            nodes[link].run.rows += rows
        } else {
            lengthenLast(of: nodes[link].right, by: rows)
        }
        update(link)
    }
}
