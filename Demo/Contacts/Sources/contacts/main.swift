import Foundation
import LiveTable

// Contacts in the terminal. Run it twice on one file: each shows at once what the other one writes.
//   contacts [FILE]                               the screen
//   contacts FILE add NAME [PHONE [GROUP]]        adds a person
//   contacts FILE find TEXT                       who has words that begin like those of the text
//   contacts FILE list                            everybody, by letter
//   contacts FILE migrate                         writes what the first version of the program stored as this one does

/// Does one thing without a screen. Not async, so the connection's functions block the thread, which has nothing else to do.
func perform(_ command: String, _ words: [String], in database: YapDatabase) throws {
    let connection = try database.newConnection()
    switch (command, words.count) {
    case ("add", 1...3):
        let person = Person(
            name: words[0], phone: words.count > 1 ? words[1] : "", groupID: words.count > 2 ? words[2] : nil)
        try connection.readWrite { try $0.add(person) }
    case ("find", 1):
        let matches = try connection.read { try $0[names].values(matching: .prefixes(of: words[0])) }
        for person in matches { print(person.name, person.phone, separator: "  ") }
    case ("list", 0):
        try connection.read { transaction in
            for letter in try transaction[letters].groups {
                print(letter)
                for person in try transaction[letters].values(in: letter) { print("  \(person.name)  \(person.phone)") }
            }
        }
    case ("migrate", 0): print("\(try database.migrate(people).migrated) people written in the new form")
    default:
        print("contacts [FILE [add NAME [PHONE [GROUP]] | find TEXT | list | migrate]]")
        exit(2)
    }
}

Terminal.blockSignals()  // before the first thread begins, so that the screen gets them

let arguments = CommandLine.arguments.dropFirst()
let database = try openContacts(arguments.first ?? "contacts.sqlite")
if let command = arguments.dropFirst().first {
    try perform(command, Array(arguments.dropFirst(2)), in: database)
    try database.close()
} else {
    let code = try ContactScreen.run(database)
    try database.close()
    exit(code)
}
