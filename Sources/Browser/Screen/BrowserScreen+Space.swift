import FileReading
import ScreenPrograms

/// The bytes of each part of the file, in the tree.
extension BrowserScreen {
    /// Shows the bytes of each part instead of its rows, or its rows again. They are found in the background, each time again.
    func toggleSpace() {
        guard let known = tree.known else { return }
        let shows = !known.showsSpace
        tree.update(at: now()) { $0.showsSpace = shows }
        guard shows else { return }
        let snapshot = file.snapshot
        background.run {
            try FileSpace(snapshot)
        } then: { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let space?): tree.update(at: now()) { $0.space = space }
            case .success(nil): hideSpace("The pages of the file cannot be told apart.")
            case .failure(let error) where error.isGone: hideSpace("The file was written to meanwhile: b tries again.")
            case .failure(let error): hideSpace("\(error)")
            }
            state.screen.redraw()
        }
    }

    private func hideSpace(_ reason: String) {
        tree.update(at: now()) { $0.showsSpace = false }
        show(failure: reason)
    }
}
