import TableModel

extension Color {
    /// From 0 to 255; the terminal's own colour counts as black.
    var luminance: Int {
        if case .palette(let entry) = self { RGB(palette: entry).luminance } else { 0 }
    }
}
