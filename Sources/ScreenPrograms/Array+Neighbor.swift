extension Array where Element: Equatable {
    /// Returns the element after or before another; after the last comes the first.
    package func neighbor(of element: Element, up: Bool) -> Element {
        let index = firstIndex(of: element) ?? 0
        return self[(index + (up ? 1 : count - 1)) % count]
    }
}
