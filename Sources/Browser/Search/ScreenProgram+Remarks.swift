import FileReading
import ScreenPrograms

extension ScreenProgram {
    /// Shows the worst of what is to be said of the rows that an expression was evaluated for. Returns whether there was something.
    @discardableResult func show(_ remarks: ExpressionRemarks?) -> Bool {
        guard let remarks, let sentence = remarks.sentences.first else { return false }
        if remarks.isPartial { show(failure: sentence) } else { show(notice: sentence) }
        return true
    }
}
