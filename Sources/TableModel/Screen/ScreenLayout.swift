/// The parts of a screen: a title line, panes side by side with one thin rule between them, a hint line.
public struct ScreenLayout: Hashable, Sendable {
    /// The width that a pane requests.
    public struct Pane: Hashable, Sendable {
        /// Its minimum width: a narrower pane is left out unless it has the focus.
        public var least: Int
        /// Its share of the width left after every pane has its minimum.
        public var share: Int

        /// Creates the request of a pane. Both numbers are columns.
        /// - Parameters:
        ///   - least: the minimum width in columns.
        ///   - share: the share of the width that is left.
        public init(least: Int, share: Int = 0) {
            self.least = least
            self.share = share
        }
    }

    /// The first line; empty on a screen of less than four lines.
    public let title: Rect
    /// The last line; empty on a screen of less than three lines.
    public let hint: Rect
    /// The rectangle of each pane; empty for a pane without room.
    public let panes: [Rect]
    /// The rules above and below the panes; empty on a screen too low for them.
    let rules: [Rect]
    /// The rules between the panes.
    let dividers: [Rect]

    /// The minimum height of a screen with horizontal rules.
    static let leastHeightWithRules = 10

    /// Divides a screen of so many columns and lines among panes. The pane with the number `focused` always has room.
    /// - Parameters:
    ///   - width: columns.
    ///   - height: lines.
    ///   - panes: what each pane wants, from left to right.
    ///   - focused: the number of the pane that always has room.
    public init(width: Int, height: Int, panes: [Pane], focused: Int = 0) {
        let whole = Rect(x: 0, y: 0, width: width, height: height)
        let hasRules = height >= Self.leastHeightWithRules
        let (title, belowTitle) = whole.splitTop(height > 3 ? 1 : 0)
        let (aboveHint, hint) = belowTitle.splitBottom(height > 2 ? 1 : 0)
        let (top, rest) = aboveHint.splitTop(hasRules ? 1 : 0)
        let (content, bottom) = rest.splitBottom(hasRules ? 1 : 0)
        self.title = title
        self.hint = hint
        rules = hasRules ? [top, bottom] : []
        let widths = Self.widths(of: panes, in: width, focused: focused)
        var rects: [Rect] = []
        var dividers: [Rect] = []
        var remaining = content
        for width in widths {
            if width > 0, remaining.x > content.x {
                let (divider, behind) = remaining.splitLeft(1)
                dividers.append(divider)
                remaining = behind
            }
            let (pane, behind) = remaining.splitLeft(width)
            rects.append(width > 0 ? pane : Rect(x: remaining.x, y: content.y, width: 0, height: 0))
            remaining = behind
        }
        self.panes = rects
        self.dividers = dividers
    }

    /// Returns the widths of the panes, 0 for those without room. The last ones are left out first, the focused one
    /// never.
    private static func widths(of panes: [Pane], in width: Int, focused: Int) -> [Int] {
        var shown = Array(panes.indices)
        func need() -> Int { shown.reduce(shown.count - 1) { $0 + panes[$1].least } }
        while shown.count > 1, need() > width, let last = shown.lastIndex(where: { $0 != focused }) {
            shown.remove(at: last)
        }
        var widths = panes.map { _ in 0 }
        var rest = max(0, width - need())
        var shares = shown.reduce(0) { $0 + panes[$1].share }
        for index in shown {
            let extra = index == shown.last ? rest : shares > 0 ? rest * panes[index].share / shares : 0
            widths[index] = shown.count == 1 ? width : panes[index].least + extra
            rest -= extra
            shares -= panes[index].share
        }
        return widths
    }
}
