import Foundation
import YapDatabase

/// The examples in the comments of the members of the proxy of a connection.
private struct ProxyExamples {
    let proxy: YapDatabaseConnectionProxy

    func metadata() throws {
        proxy.setObject("hello", forKey: "greeting", withMetadata: Date())
        let date = try proxy.metadata(forKey: "greeting") as? Date
        _ = date
    }

    func row() throws {
        if let row = try proxy.row(forKey: "greeting") { print(row.object, row.metadata ?? "no metadata") }
    }

    func replace() {
        proxy.replace("good morning", forKey: "greeting")
        proxy.replaceMetadata(nil, forKey: "greeting")
    }

    func removeObject() {
        proxy.removeObject(forKey: "greeting")
        proxy.removeObjects(forKeys: ["a", "b"], inCollection: "drafts")
    }

    func resetObject() {
        proxy.setObject("typing", forKey: "draft")
        proxy.resetObject(forKey: "draft")  // reads see the file again
    }
}
