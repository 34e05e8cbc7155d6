// swift-format-ignore-file
// mappings.txt, the end of "Cell Drawing Dependencies", as it stands there. docs/wiki-samples.md names what is changed.

@MainActor @Suite struct TimestampTests {
  @Test func aCellIsUpdatedWhenTheOneBeforeItChanges() throws {
    try withDatabase { database in
      try database.registerMessages(of: "c1")
      let writer = try database.newConnection()
      try writer.readWrite { transaction in
        for message in [
          Message(text: "You there?", time: 16), Message(text: "Hi", time: 20),
          Message(text: "You done coding yet??", time: 20.1),
        ] { try transaction.setObject(message, forKey: message.text, inCollection: "c1") }
      }
      let dbConnection = try database.newConnection()
      let controller = TimestampViewController(dbConnection: dbConnection, tableView: Screen().tableView)
      try controller.viewDidLoad()
      let mappings = try #require(controller.mappings)
      #expect(mappings.cellDrawingDependencyOffsets(forGroup: "c1") == [-1])

      try writer.readWrite { try $0.removeObject(forKey: "Hi", inCollection: "c1") }
      let notifications = try dbConnection.beginLongLivedReadTransaction()
      let viewConnection = try #require(dbConnection.ext("messages") as? YapDatabaseViewConnection)

let (sectionChanges, rowChanges) = try viewConnection.getChanges(forNotifications: notifications, withMappings: mappings)

      #expect(sectionChanges.isEmpty)
      // It will include both:
      // row delete for the "Hi" message
      // row update for the "You done coding yet??" message.
      #expect(rowChanges.map(\.type) == [.delete, .update])
      #expect(rowChanges[0].collectionKey?.key == "Hi")
      #expect(rowChanges[1].indexPath == IndexPath(row: 2, section: 0))
      #expect(rowChanges[1].changes == .changedDependency)
    }
  }

  @Test func theTimestampMovesToTheNextMessageForFree() throws {
    try withDatabase { database in
      try database.registerMessages(of: "c1")
      let writer = try database.newConnection()
      try writer.readWrite { transaction in
        for message in [
          Message(text: "You there?", time: 16), Message(text: "Hi", time: 20),
          Message(text: "You done coding yet??", time: 20.1),
        ] { try transaction.setObject(message, forKey: message.text, inCollection: "c1") }
      }
      let screen = Screen()
      let controller = try Conversation(dbConnection: database.newConnection(), tableView: screen.tableView)
      try controller.viewDidLoad()
      #expect(screen.rows == [["You there?", "[8 PM] Hi", "You done coding yet??"]])
      try writer.readWrite { try $0.removeObject(forKey: "Hi", inCollection: "c1") }
      try controller.follow()
      #expect(screen.rows == [["You there?", "[8 PM] You done coding yet??"]])
    }
  }
}

/// Draws a timestamp where hours have passed since the message before.
@MainActor private final class Conversation: TimestampViewController {
  override func text(_ object: Any, at indexPath: IndexPath, _ view: YapDatabaseViewTransaction) throws -> String {
    guard let message = object as? Message else { return "?" }
    let former = indexPath.row == 0 ? nil : try view.object(at: indexPath.row - 1, inGroup: "c1") as? Message
    guard let former, message.time - former.time >= 3 else { return message.text }
    return "[\(Int(message.time) - 12) PM] \(message.text)"
  }
}
