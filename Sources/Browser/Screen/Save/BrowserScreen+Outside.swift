import FileEngine
import FileReading
import ObjectDecoding
import ScreenPrograms

extension BrowserScreen {
    /// Has another program show the selected value, or the object of the list's selected row.
    func openOutside() {
        guard let program = OutsideProgram() else {
            return show(failure: "There is no xdg-open. Name a program in the environment, such as YAP_OPEN=less.")
        }
        withCopy { copy in .open(copy.path, in: program) }
    }

    /// Shows the selected value, or the object of the list's selected row, as an image: in the row's pane, or where that is not on the
    /// screen, on all of it.
    func seeImage() {
        // Below the name of the row and that of its object, which says what the image is.
        let area = state.area(of: .row).map { $0.splitTop(2).rest }
        withCopy { copy in copy.image.map { .showImage(copy.path, in: area, words: $0.words) } }
    }

    /// A private file with the bytes of a value.
    private struct Copy: Sendable {
        let path: String
        let image: ImageHeader?
    }

    /// Makes a private copy of the value in the background and asks for an effect with it; without one it says that there is no image.
    private func withCopy(_ effect: @escaping @MainActor @Sendable (Copy) -> ScreenEffect?) {
        let inList = list.selectedRowid.map { SelectedBytes(rowid: $0, part: .object, bytes: nil) }
        guard let value = state.focus == .row ? row.selectedBytes : inList, let content = list.content,
            content.subject.hasRowsOfTheDatabase || value.bytes != nil
        else { return show(notice: "There is no value to open here.") }
        let folder: OutsideFolder
        do {
            folder = try state.outsideFolder ?? OutsideFolder()
            state.outsideFolder = folder
        } catch {
            return report(error)
        }
        background.run {
            let bytes = try value.read(in: content)
            return Copy(
                path: try folder.file(bytes, ending: FileKind(bytes).ending), image: ImageHeader(bytes))
        } then: { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let copy):
                if let effect = effect(copy) {
                    state.screen.request(effect)
                } else {
                    show(notice: "The value is no image: PNG, JPEG, GIF and WebP are known.")
                    state.screen.redraw()
                }
            case .failure(let error): report(error)
            }
        }
    }

    /// Removes what other programs were shown. They have read it, or have it open.
    func removeTemporaryFiles() {
        state.outsideFolder?.remove()
        state.outsideFolder = nil
        guard let saving = state.saving else { return }
        // Its unfinished file is removed by the thread that writes it.
        saving.file.cancel()
        saving.file.waitUntilEnded()
    }
}
