import Foundation

/// How the chat writes dates.
enum ChatDates {
    static let time = formatter("HH:mm")
    static let weekday = formatter("EEEE")
    static let day = formatter("d MMM yyyy")
    /// On the time line above a message.
    static let moment = formatter("EEEE d MMMM HH:mm")

    private static func formatter(_ format: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.dateFormat = format
        return formatter
    }
}
