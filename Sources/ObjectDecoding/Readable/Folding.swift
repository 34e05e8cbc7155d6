/// Which values of a row are folded away: those whose state is not the usual one.
///
/// Usually lists, dictionaries and objects are open; what is encoded in data, and texts of several lines inside other
/// values, are closed. Paths that a row does not have do no harm, so one folding may serve all rows.
package struct Folding: Hashable, Sendable {
    private(set) var toggled: Set<ValuePath>

    package init(toggled: Set<ValuePath> = []) { self.toggled = toggled }

    /// Opens what is closed and closes what is open.
    package mutating func toggle(_ path: ValuePath) { toggled.formSymmetricDifference([path]) }

    func isOpen(_ path: @autoclosure () -> ValuePath, usually isUsuallyOpen: Bool) -> Bool {
        toggled.isEmpty ? isUsuallyOpen : toggled.contains(path()) != isUsuallyOpen
    }
}
