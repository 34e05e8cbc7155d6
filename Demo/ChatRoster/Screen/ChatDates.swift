import Foundation

/// Formats dates for the chat.
enum ChatDates {
    static let time = formatter("HH:mm")
    static let weekday = formatter("EEEE")
    static let day = formatter("d MMM yyyy")
    /// For the time line above a message.
    static let moment = formatter("EEEE d MMMM HH:mm")

    private static func formatter(_ format: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.dateFormat = format
        return formatter
    }
}
