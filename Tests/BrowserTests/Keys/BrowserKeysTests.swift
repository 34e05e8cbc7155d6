import LiveTable
import Testing

@testable import Browser

@MainActor @Suite struct BrowserKeysTests {
    @Test func everyKeyOfTheMapIsInTheHelp() {
        let help = BrowserKeys.standard.help(Theme()).lines.map(\.text)
        for binding in BrowserKeys.standard.map.bindings {
            #expect(help.contains { $0.contains(binding.help) }, "\(binding.action)")
        }
    }

    @Test func noKeyMeansTwoThings() {
        let keys = BrowserKeys.standard.map.bindings.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
    }

    @Test func keysAreTheUsers() throws {
        let config = try KeyConfig("[browse]\nF5 reverse\nq none\n", file: "keys", screens: ["browse"])
        let map = try BrowserKeys(config).map
        #expect(map[.reverse]?.keys.contains { $0[0].key == .function(5) } == true)
        #expect(map[.quit]?.keys.contains { $0[0].key == .character("q") } == false)
        #expect(throws: KeyConfigError.self) {
            try BrowserKeys(KeyConfig("[browse]\nx fly\n", file: "keys", screens: ["browse"]))
        }
    }

    @Test func theHelpIsShownScrolledAndClosed() throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            scene.type("?")
            #expect(scene.text.contains("┌─ Keys ─"))
            scene.type("G")
            #expect(scene.text.contains("how values of this collection are decoded"))
            scene.press(.escape)
            #expect(!scene.text.contains("Keys ─"))
            scene.type("q")
            #expect(scene.hasQuit)
        }
    }
}
