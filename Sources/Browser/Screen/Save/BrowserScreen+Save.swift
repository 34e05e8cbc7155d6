import FileEngine
import FileReading
import Foundation
import ObjectDecoding
import ScreenPrograms

extension BrowserScreen {
    /// Asks for the name of a file: of the list, or of the selected value.
    func save() {
        guard state.saving == nil else { return show(notice: "A list is being saved. Esc stops that.") }
        if state.focus == .row { return saveValue() }
        guard list.rows != nil, let subject = list.subject else {
            return show(notice: "There is no list to do that in.")
        }
        guard state.search?.isFilter != true || state.search?.hasEnded == true, state.sorting?.progressText == nil
        else {
            return show(notice: "The list is not complete yet: save it when it is.")
        }
        endCounting()
        ask(.list, name: Self.fileName(subject.title) + ".csv")
    }

    private func saveValue() {
        guard let bytes = row.selectedBytes else { return show(notice: "The row has no value to save.") }
        state.valueToSave = bytes
        let kind = bytes.bytes.map { FileKind($0) }
        let words = bytes.bytes.map { "\(kind?.words ?? "bytes"), \(FileFacts.bytes($0.count))," } ?? "the value"
        let name = Self.fileName(row.loaded?.row.address?.key.text ?? row.selectedColumn?.name ?? "value")
        ask(.value(words), name: "\(name).\(kind?.ending ?? "bin")")
    }

    private func ask(_ part: SavedPart, name: String) { state.prompt = Prompt(.save(part), TextField(name)) }

    /// Letters and digits of a name; what else it has could mean something in a path.
    private static func fileName(_ text: String) -> String {
        let name = text.prefix(60).map { $0.isLetter || $0.isNumber || "-_".contains($0) ? String($0) : "-" }.joined()
        return name.isEmpty ? "list" : name
    }

    func save(_ part: SavedPart, as name: String) {
        guard !name.isEmpty else { return }
        let path = name.hasPrefix("~/") ? homeFolder.path + name.dropFirst() : name
        if FileManager.default.fileExists(atPath: path) {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            if isFolder.boolValue { return show(failure: "\(name) is a folder. Name a file in it.") }
            let choices = [Menu.Choice(title: "Replace it"), Menu.Choice(title: "Another name")]
            var menu = Menu("\(name) exists", choices)
            _ = menu.handle(.next)
            return state.menu = OpenMenu(menu: menu, purpose: .replace(path, part))
        }
        write(part, to: path, replaces: false)
    }

    func write(_ part: SavedPart, to path: String, replaces: Bool) {
        let files = ["", "-wal", "-shm"].map { URL(filePath: file.path + $0).resolvingSymlinksInPath().path }
        guard !files.contains(URL(filePath: path).resolvingSymlinksInPath().path) else {
            return show(failure: "That is the file that is shown, which is never written to. Choose another name.")
        }
        guard let content = list.content else { return }
        switch part {
        case .list: writeList(content, to: path, replaces: replaces)
        case .value: writeValue(content, to: path, replaces: replaces)
        }
    }

    private func writeValue(_ content: ListContent, to path: String, replaces: Bool) {
        guard let value = state.valueToSave else { return }
        background.run {
            let bytes = try value.read(in: content)
            let file = try NewFile(path)
            try file.write(bytes)
            try file.finish(replaces: replaces)
            return bytes.count
        } then: { [weak self] result in
            self?.tellSaved(result.map { "\(FileFacts.bytes($0))" }, path, .value("the value"))
        }
    }

    private func writeList(_ content: ListContent, to path: String, replaces: Bool) {
        guard let format = ListFile.format(of: path) else {
            return show(failure: "The name's ending is the format: .csv, .jsonl or .md.")
        }
        let columns = (list.rows?.columns.shown ?? []).map { ListFile.Column($0.title, $0.expression ?? "object") }
        let file = ListFile(path, format)
        state.saving = Saving(file: file)
        let (selection, decoder) = (list.selection, state.reading.decoder)
        background.run {
            try file.write(content, selection, columns, decoder, replaces: replaces)
        } then: { [weak self] result in
            guard let self, state.saving?.file === file else { return }
            state.saving = nil
            tellSaved(result.map { "\(RowCount($0)) \($0 == 1 ? "row" : "rows")" }, path, .list)
        }
        lookAtSaving(file)
    }

    /// Draws the progress.
    private func lookAtSaving(_ file: ListFile) {
        guard state.saving?.file === file else { return }
        state.screen.redraw()
        background.run(after: 0.1) {
        } then: { [weak self] _ in
            self?.lookAtSaving(file)
        }
    }

    private func tellSaved(_ result: Result<String, any Error>, _ path: String, _ part: SavedPart) {
        switch result {
        case .success(let words):
            let isPlain = EncryptedFile.isUnlocked(file.path) ? " It is not encrypted." : ""
            show(notice: "Saved \(words) in \(HomePath.shortened(path)).\(isPlain)")
        case .failure(is NewFile.Exists): save(part, as: path)
        case .failure(is ListFile.Cancelled): show(notice: "Stopped: nothing is saved.")
        case .failure(let error) where error.isGone:
            show(failure: "The file was changed while it was read: nothing is saved. Save again.")
        case .failure(let error): show(failure: (error as? YapDatabaseError)?.message ?? sentence(ofSystem: error))
        }
        state.screen.redraw()
    }

    /// Esc: ends the writing of a list. Returns false if there is none.
    func cancelSaving() -> Bool {
        guard let saving = state.saving else { return false }
        saving.file.cancel()
        return true
    }

    var savingText: String? { state.saving?.progressText }
}
