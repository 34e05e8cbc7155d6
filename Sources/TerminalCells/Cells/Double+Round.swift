extension Double {
    /// The nearest whole number, halves upwards on both sides of zero, so that what moves together stays together.
    ///
    /// `rounded()` is not used in this target: without Foundation nothing links the C mathematics library.
    @inlinable package var nearestInt: Int { (self + 0.5).floorInt }

    /// The largest whole number that is not above.
    @inlinable package var floorInt: Int {
        let whole = Int(self)
        return Double(whole) > self ? whole - 1 : whole
    }
}
