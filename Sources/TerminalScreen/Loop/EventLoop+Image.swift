import CNcurses
import Dispatch
import Foundation
import TerminalCells

/// The image that is on the screen beside its cells, or is being made.
struct LoopImage {
    /// Counts what was asked for, so that an image that comes late is not shown.
    var request = 0
    /// The program that makes it.
    var maker: OutsideProgram.Run?
    /// Where it is, with the cells that are below it.
    var shown: (area: Rect, isKitty: Bool, below: Grid?)?
}

extension EventLoop {
    /// The smallest place in which an image can be told.
    private static let leastArea = (width: 8, height: 4)

    /// Shows an image by kitty's protocol or as sixel, if the terminal says that it can. The program `chafa` makes the sequences, or
    /// `img2sixel`. It stays until the next key, or until something else is drawn there.
    ///
    /// - Parameters:
    ///   - path: the file of the image.
    ///   - area: the cells that it gets. Nil, or very few: the whole screen, until a key is pressed.
    ///   - done: called on the main thread: with nil when it is shown, or with the reason why it is not.
    public func showImage(_ path: String, in area: Rect?, done: @escaping (EditorError?) -> Void) {
        removeImage()
        do throws(EditorError) {
            guard let area, area.width >= Self.leastArea.width, area.height >= Self.leastArea.height,
                let program = OutsideProgram(image: screen.features, area: area)
            else {
                return open(path, in: try OutsideProgram(image: screen.features, size: screen.size), done: done)
            }
            guard !isLent else { throw EditorError(.busy, "Another program has the terminal.") }
            let run = try program.startForOutput(
                on: path, terminal: ttyname(screen.device.input).map { String(cString: $0) })
            image.maker = run
            let request = image.request
            let finish: @MainActor ([UInt8]?) -> Void = { bytes in
                guard self.image.request == request, self.end == nil, !self.isLent else { return }
                self.image.maker = nil
                done(self.place(bytes, in: area))
            }
            Thread.detachNewThread {
                let bytes = run.read()
                DispatchQueue.main.async { MainActor.assumeIsolated { finish(bytes) } }
            }
        } catch {
            done(error)
        }
    }

    /// Writes an image over the cells of an area.
    /// - Returns: why it is not shown.
    private func place(_ bytes: [UInt8]?, in area: Rect) -> EditorError? {
        guard let bytes, let first = bytes.firstIndex(of: 0x1B), let last = bytes.lastIndex(of: UInt8(ascii: "\\"))
        else {
            return EditorError(.failed, "the image cannot be read.")
        }
        // Its line end would scroll the screen.
        screen.device.write(
            Array("\u{1B}7\u{1B}[\(area.y + 1);\(area.x + 1)H".utf8) + bytes[first...max(first, last)]
                + Array("\u{1B}8".utf8))
        image.shown = (area, screen.features.hasKittyImages, screen.shown)
        return nil
    }

    /// Ends the program that makes an image, which is not wanted any more.
    func endImageMaker() {
        image.request += 1
        image.maker?.end()
        image.maker = nil
    }

    /// Removes the image, or ends the program that makes one.
    func removeImage() {
        endImageMaker()
        guard let shown = image.shown else { return }
        image.shown = nil
        if shown.isKitty {
            screen.device.write("\u{1B}_Ga=d,q=2\u{1B}\\")
        } else {
            // Cells that do not change would keep its pixels.
            screen.forgetContents()
        }
        redraw()
    }

    /// Removes the image if a frame has something else in its place.
    func removeImage(unlessBelow grid: Grid) {
        guard let (area, _, below) = image.shown else { return }
        let isSame =
            below.map { below in
                below.width == grid.width && below.height == grid.height
                    && (area.y..<area.maxY).allSatisfy { y in
                        (area.x..<area.maxX).allSatisfy { below[$0, y] == grid[$0, y] }
                    }
            } ?? false
        if !isSame { removeImage() }
    }
}
