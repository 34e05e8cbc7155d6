/// How much colour the terminal has, which decides how fades and tints look.
public enum ColorDepth: Hashable, Sendable {
    /// No colour (NO_COLOR, a monochrome terminal): attributes alone carry the meaning, nothing fades.
    case mono
    /// 8 or 16 colours: fades become dim, tints become bold.
    case basic8
    /// The xterm palette: fades and tints go in steps.
    case palette256
}
