extension Double {
    /// The nearest whole number, with halves rounded upwards on both sides of zero, so that items that move together
    /// stay together.
    ///
    /// This target does not use `rounded()`, because without Foundation nothing links the C mathematics library.
    @inlinable package var nearestInt: Int { (self + 0.5).floorInt }

    /// The largest whole number that is not greater.
    @inlinable package var floorInt: Int {
        let whole = Int(self)
        return Double(whole) > self ? whole - 1 : whole
    }
}
