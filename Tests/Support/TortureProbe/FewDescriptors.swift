import Foundation
import TortureLedger
import YapDatabase

/// Opens a file and writes a row, with so many free file descriptors: before the file is opened, or from when it is open.
///
/// Prints the error, or that the row is stored. It must not end otherwise, and a stored row must be told as one.
func writeWithFewDescriptors(path: String, free: Int, opensBefore: Bool) throws {
    let url = URL(filePath: path)
    var database = opensBefore ? try YapDatabase(url: url) : nil
    var held: [Int32] = []
    while case let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC), descriptor >= 0 { held.append(descriptor) }
    for descriptor in held.suffix(free) { close(descriptor) }
    var words = "stored"
    do {
        if database == nil { database = try YapDatabase(url: url) }
        try database?.newConnection().readWrite { try $0.setObject("\(free)", forKey: "\(free)", inCollection: "c") }
    } catch { words = "\(error)" }
    for descriptor in held.dropLast(free) { close(descriptor) }
    // The descriptors are back: the same object goes on, or another one opens the file.
    let again = try database ?? YapDatabase(url: url)
    let isStored = try again.newConnection().read { try $0.hasObject(forKey: "\(free)", inCollection: "c") }
    try require(isStored == (words == "stored"), "\(words), and the row is \(isStored ? "" : "not ")there")
    try again.close()
    print(words)
}
