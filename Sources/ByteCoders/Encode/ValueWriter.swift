import Foundation

/// What the containers of ``ValueEncoder`` write to: one format's bytes, in one pass and without values in between.
///
/// A type's `encode(to:)` opens containers inside each other. The writer keeps them as a stack of frames, and closes a frame
/// when something is written to one below it. Whatever does not fit the stack (writing to a container that was closed, a key
/// that is written twice, an encoder that asks for its coding path) makes the value *exotic*: the bytes are discarded, and
/// Foundation's encoder encodes the value instead, with its own errors.
///
/// Everything that changes lies behind pointers, because the runtime checks each access to a property of a class.
class ValueWriter {
    static let depthLimit = 400
    /// A frame with more keys than this finds a repeated key by a set.
    private static let scannedKeys = 32

    enum Kind: UInt8 { case slot, object, array, done }

    struct Frame {
        var kind: Kind
        /// Different for each frame, so that a container can tell that its frame was closed.
        var serial: Int
        /// Keys or elements written.
        var count: Int
        /// Where this frame's key hashes begin.
        var firstHash: Int
        /// For the format.
        var mark: Int
    }

    struct State {
        /// The index of the innermost frame; -1 without frames.
        var top = -1
        var serial = 0
        var isExotic = false
        var hashes = Stack<UInt64>(capacity: 64)
        /// The keys of frames with many, by the serial of the frame.
        var manyKeys: [Int: Set<UInt64>] = [:]
    }

    let frames = UnsafeMutablePointer<Frame>.allocate(capacity: depthLimit)
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    let out = UnsafeMutablePointer<ByteBuffer>.allocate(capacity: 1)

    init() {
        state.initialize(to: State())
        out.initialize(to: ByteBuffer(capacity: 1_024))
    }

    deinit {
        out.pointee.free()
        out.deallocate()
        state.pointee.hashes.free()
        state.deinitialize(count: 1)
        state.deallocate()
        frames.deallocate()
    }

    func reset() {
        state.pointee.top = -1
        state.pointee.isExotic = false
        state.pointee.hashes.cut(at: 0)
        if !state.pointee.manyKeys.isEmpty { state.pointee.manyKeys = [:] }
        out.pointee.removeAll()
    }

    /// Bytes of memory that the writer keeps.
    var size: Int { out.pointee.capacity + state.pointee.hashes.size }

    // MARK: The format

    func begin(_ kind: Kind, _ frame: UnsafeMutablePointer<Frame>) {}
    func end(_ frame: UnsafeMutablePointer<Frame>) {}
    func key(_ text: ScannedText, _ frame: UnsafeMutablePointer<Frame>) {}
    func element(_ frame: UnsafeMutablePointer<Frame>) {}
    func null() {}
    func bool(_ value: Bool) {}
    func integer(_ value: Int64) {}
    func unsigned(_ value: UInt64) {}
    func double(_ value: Double) {}
    func float(_ value: Float) {}
    func string(_ value: String) {}
    func date(_ value: Date) {}
    func data(_ value: Data) {}
    /// Whether the format has a form of its own for URLs and decimal numbers.
    var hasFormOfURL: Bool { false }
    func url(_ value: URL) {}
    func decimal(_ value: Decimal) {}
}

// MARK: Frames

extension ValueWriter {
    final func markExotic() { state.pointee.isExotic = true }

    /// Opens a frame on top.
    @inline(__always) final func push() throws -> (depth: Int, serial: Int) {
        let depth = state.pointee.top + 1
        guard depth < Self.depthLimit else {
            markExotic()
            throw TooDeep()
        }
        state.pointee.top = depth
        state.pointee.serial += 1
        frames[depth] = Frame(
            kind: .slot, serial: state.pointee.serial, count: 0, firstHash: state.pointee.hashes.count, mark: 0)
        return (depth, state.pointee.serial)
    }

    /// Whether a container can be written to. Closes the frames inside it.
    @inline(__always) final func isOpen(_ depth: Int, _ serial: Int) -> Bool {
        if state.pointee.top == depth, frames[depth].serial == serial { return true }
        return closeInner(depth, serial)
    }

    private final func closeInner(_ depth: Int, _ serial: Int) -> Bool {
        guard depth >= 0, state.pointee.top > depth, frames[depth].serial == serial else {
            markExotic()
            return false
        }
        close(above: depth)
        return true
    }

    /// Closes all frames inside the one at `depth`.
    final func close(above depth: Int) {
        while state.pointee.top > depth {
            let frame = frames + state.pointee.top
            switch frame.pointee.kind {
            case .slot: markExotic()
            case .object, .array:
                end(frame)
                state.pointee.hashes.cut(at: frame.pointee.firstHash)
            case .done: break
            }
            state.pointee.top -= 1
        }
    }

    /// Makes the frame an object or an array. A class and its superclass may ask for the same one.
    final func open(_ kind: Kind, _ depth: Int, _ serial: Int) {
        guard isOpen(depth, serial) else { return }
        let frame = frames + depth
        if frame.pointee.kind == .slot {
            frame.pointee.kind = kind
            begin(kind, frame)
        } else if frame.pointee.kind != kind {
            markExotic()
        }
    }

    /// Writes a key to the object at `depth`.
    @inline(__always) final func writeKey(_ key: String, _ depth: Int, _ serial: Int) -> Bool {
        guard isOpen(depth, serial) else { return false }
        var key = key
        key.withUTF8 { text in
            let text = ScannedText(UnsafeRawBufferPointer(text))
            let frame = frames + depth
            checkRepetition(text.hash, frame)
            self.key(text, frame)
            frame.pointee.count += 1
        }
        return true
    }

    /// Equal hashes of different keys cost only time.
    @inline(__always) private func checkRepetition(_ hash: UInt64, _ frame: UnsafeMutablePointer<Frame>) {
        if frame.pointee.count < Self.scannedKeys {
            let hashes = state.pointee.hashes.values
            for place in frame.pointee.firstHash..<state.pointee.hashes.count where hashes[place] == hash {
                markExotic()
            }
            state.pointee.hashes.append(hash)
        } else {
            let known = state.pointee.hashes.all[frame.pointee.firstHash...]
            if !state.pointee.manyKeys[frame.pointee.serial, default: Set(known)].insert(hash).inserted { markExotic() }
        }
    }

    @inline(__always) final func beginElement(_ depth: Int, _ serial: Int) -> Bool {
        guard isOpen(depth, serial) else { return false }
        element(frames + depth)
        frames[depth].count += 1
        return true
    }
}

/// Containers inside each other beyond the limit, which Foundation handles or refuses.
struct TooDeep: Error {}
