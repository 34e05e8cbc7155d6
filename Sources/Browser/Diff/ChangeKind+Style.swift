import FileReading
import ScreenPrograms

extension ChangeKind {
    /// Its sign tells the same without colours.
    func style(_ theme: Theme) -> Style {
        switch self {
        case .inserted: theme.added
        case .deleted: theme.removed
        case .updated: theme.changed
        case .inViews: theme.secondary
        }
    }

    /// The word behind a number.
    var word: String {
        switch self {
        case .inserted: "new"
        case .deleted: "gone"
        case .updated: "changed"
        case .inViews: "in views"
        }
    }
}
