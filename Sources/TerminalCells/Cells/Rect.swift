/// A rectangle of cells on the screen. Its right and bottom edges are outside.
public struct Rect: Hashable, Sendable {
    /// The first column.
    public var x: Int
    /// The first line.
    public var y: Int
    /// The number of columns.
    public var width: Int
    /// The number of lines.
    public var height: Int

    /// Creates a rectangle. Negative sizes count as 0.
    /// - Parameters:
    ///   - x: the column, counted from 0.
    ///   - y: the line, counted from 0.
    ///   - width: columns.
    ///   - height: lines.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = Swift.max(0, width)
        self.height = Swift.max(0, height)
    }

    /// The first column to the right of the rectangle.
    public var maxX: Int { x + width }
    /// The first line below the rectangle.
    public var maxY: Int { y + height }
    /// Whether it has no cells.
    public var isEmpty: Bool { width == 0 || height == 0 }

    /// Returns whether the cell in a column and a line is inside.
    /// - Parameters:
    ///   - x: the column, counted from 0.
    ///   - y: the line, counted from 0.
    public func contains(x: Int, y: Int) -> Bool {
        x >= self.x && x < maxX && y >= self.y && y < maxY
    }

    /// Returns the common part of both rectangles; empty if they do not overlap.
    public func intersection(_ other: Rect) -> Rect {
        let left = Swift.max(x, other.x)
        let top = Swift.max(y, other.y)
        return Rect(
            x: left, y: top, width: Swift.min(maxX, other.maxX) - left, height: Swift.min(maxY, other.maxY) - top)
    }

    /// Splits off `count` lines at the top.
    public func splitTop(_ count: Int) -> (top: Rect, rest: Rect) {
        let cut = Swift.max(0, Swift.min(count, height))
        return (
            Rect(x: x, y: y, width: width, height: cut),
            Rect(x: x, y: y + cut, width: width, height: height - cut)
        )
    }

    /// Splits off `count` lines at the bottom.
    public func splitBottom(_ count: Int) -> (rest: Rect, bottom: Rect) {
        let (rest, bottom) = splitTop(height - Swift.max(0, Swift.min(count, height)))
        return (rest, bottom)
    }

    /// Splits off the first `count` columns.
    public func splitLeft(_ count: Int) -> (left: Rect, rest: Rect) {
        let cut = Swift.max(0, Swift.min(count, width))
        return (
            Rect(x: x, y: y, width: cut, height: height),
            Rect(x: x + cut, y: y, width: width - cut, height: height)
        )
    }
}

extension Grid {
    /// The whole grid.
    public var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }
}
