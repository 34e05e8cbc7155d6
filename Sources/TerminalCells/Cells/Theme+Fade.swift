extension Theme {
    /// Returns a style `alpha` of the way from the background to itself; nil if the text is invisible.
    ///
    /// In 256 colours the foreground approaches the background in palette steps. With 8 colours the first half is dim;
    /// in monochrome the text appears at half.
    ///
    /// - Parameters:
    ///   - style: the colours and attributes.
    ///   - alpha: 0 for invisible, 1 for unchanged.
    public func faded(_ style: Style, alpha: Double) -> Style? {
        if alpha >= 1 { return style }
        switch shades {
        case .monochrome: return alpha < 0.5 ? nil : style
        case .eight, .sixteen:
            if alpha < 0.25 { return nil }
            var dimmed = style
            if alpha < 0.75 {
                dimmed.attributes.remove(.bold)
                dimmed.attributes.insert(.dim)
            }
            return dimmed
        case .palette:
            if alpha <= 0.05 { return nil }
            var faded = style
            faded.attributes.remove(.bold)
            let (from, to) = (rgb(ofForeground: style), rgb(ofBackground: style))
            faded.foreground = .palette(to.mixed(with: from, alpha).nearestPaletteEntry)
            return faded
        }
    }

    /// Returns a style whose background is `level` (0 to 1) of the way to a full tint of the accent colour.
    ///
    /// With 8 colours a tint is bold; in monochrome there is none.
    ///
    /// - Parameters:
    ///   - style: the colours and attributes.
    ///   - level: 0 for no tint, 1 for a full one.
    public func tinted(_ style: Style, level: Double) -> Style {
        guard level > 0 else { return style }
        var tinted = style
        switch shades {
        case .monochrome: break
        case .eight, .sixteen: tinted.attributes.insert(.bold)
        case .palette:
            guard case .palette(let entry) = accent else { break }
            let ground = rgb(ofBackground: style)
            tinted.background = .palette(
                ground.mixed(with: RGB(palette: entry), 0.45 * min(1, level)).nearestPaletteEntry)
        }
        return tinted
    }

    /// Returns the style on the selected row: on a tint, or in the terminal's own colours, reversed, if there are no shades.
    /// - Parameters:
    ///   - style: the colours and attributes.
    ///   - focused: whether the list has the keys.
    public func selected(_ style: Style, focused: Bool) -> Style {
        guard focused else { return style }
        var selected = style
        if shades != .palette {
            selected.foreground = .terminal
            selected.attributes.insert(.bold)
            selected.attributes.remove(.dim)
            // What is reversed itself, as a badge, stays different from the row.
            selected.attributes.formSymmetricDifference(.reverse)
        } else if style.background == .terminal {
            selected.background = .palette(background == .dark ? 236 : 254)
        }
        return selected
    }

    private func rgb(ofForeground style: Style) -> RGB {
        guard case .palette(let entry) = style.foreground else {
            return background == .dark ? RGB(red: 218, green: 218, blue: 218) : RGB(red: 28, green: 28, blue: 28)
        }
        return RGB(palette: entry)
    }

    private func rgb(ofBackground style: Style) -> RGB {
        guard case .palette(let entry) = style.background else {
            return background == .dark ? RGB(red: 18, green: 18, blue: 18) : RGB(red: 250, green: 250, blue: 250)
        }
        return RGB(palette: entry)
    }
}
