import ChangeScenarios

extension JSON {
    package init(text: String) throws { self = try JSONReader.read(Array(text.utf8)) }
}
