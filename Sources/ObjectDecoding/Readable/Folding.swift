/// The values of a row whose folding differs from the default.
///
/// By default lists, dictionaries and objects are open; decoded data, and texts of several lines inside other values,
/// are closed. Unknown paths are ignored, so one folding may serve all rows.
package struct Folding: Hashable, Sendable {
    private(set) var toggled: Set<ValuePath>

    package init(toggled: Set<ValuePath> = []) { self.toggled = toggled }

    /// Opens a closed value and closes an open one.
    package mutating func toggle(_ path: ValuePath) { toggled.formSymmetricDifference([path]) }

    func isOpen(_ path: @autoclosure () -> ValuePath, usually isUsuallyOpen: Bool) -> Bool {
        toggled.isEmpty ? isUsuallyOpen : toggled.contains(path()) != isUsuallyOpen
    }
}
