import ScreenPrograms

extension Action {
    static let fold: Action = "fold"
    static let goIn: Action = "in"
    static let goOut: Action = "out"
    static let mark: Action = "mark"
    static let columns: Action = "columns"
    static let wider: Action = "wider"
    static let narrower: Action = "narrower"
    static let fitColumns: Action = "fit-columns"
    static let searchKeys: Action = "search-keys"
    static let sort: Action = "sort"
    static let reverse: Action = "reverse"
    static let range: Action = "range"
    static let goTo: Action = "go-to"
    static let fullText: Action = "full-text"
    static let follow: Action = "follow"
    static let raw: Action = "raw"
    static let unfoldAll: Action = "unfold-all"
    static let foldAll: Action = "fold-all"
    static let decoder: Action = "decoder"
    static let copyPath: Action = "copy-path"
}
