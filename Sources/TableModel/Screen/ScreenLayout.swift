/// Where the parts of a screen are: a title line, panes side by side with one thin rule between them, a hint line.
public struct ScreenLayout: Hashable, Sendable {
    /// How wide a pane wants to be.
    public struct Pane: Hashable, Sendable {
        /// It is left out where it would be narrower, unless it has the focus.
        public var least: Int
        /// Its share of what is left when every pane has its least width.
        public var share: Int

        public init(least: Int, share: Int = 0) {
            self.least = least
            self.share = share
        }
    }

    public let title: Rect
    public let hint: Rect
    /// For each pane its rectangle; an empty one for a pane that has no room.
    public let panes: [Rect]
    /// The rules above and below the panes; empty on a screen too low for them.
    let rules: [Rect]
    /// The rules between the panes.
    let dividers: [Rect]

    /// Below this height the horizontal rules are left out.
    static let leastHeightWithRules = 10

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

    /// The widths of the panes, 0 for those without room: the last ones give way first, the focused one never.
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
