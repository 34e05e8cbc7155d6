import FileReading
import ScreenPrograms
import ObjectDecoding

/// A menu on the screen and what its choices are for.
struct OpenMenu: Hashable {
    enum Purpose: Hashable {
        case columns
        /// The formats of a collection's values; the first choice is none of them.
        case decoder(of: StoredText)
        case order([ListSubject])
        /// Fields to sort by; behind the last choice an expression is typed.
        case fieldOrder([FieldOrder], isDescending: Bool)
        case countBy([FieldOrder])
        /// Whether a file that exists is replaced.
        case replace(String, SavedPart)
    }

    var menu: Menu
    let purpose: Purpose
}

extension BrowserScreen {
    func choose(_ index: Int, for purpose: OpenMenu.Purpose) {
        switch purpose {
        case .columns: toggleColumn(index)
        case .decoder(let collection): decode(collection, as: index == 0 ? nil : ObjectFormat.allCases[index - 1])
        case .order(let subjects): sort(subjects[index])
        case .fieldOrder(let orders, let isDescending): choose(index, of: orders, isDescending: isDescending)
        case .countBy(let orders): choose(index, toCountBy: orders)
        case .replace(let path, let part): if index == 0 { write(part, to: path, replaces: true) } else { save() }
        }
    }

    // MARK: Decoders

    func openDecoders() {
        guard let collection = selectedCollection else {
            return show(notice: "Select a row: the choice is for its collection.")
        }
        let now = state.reading.decoder.formats[collection]?.first
        let choices =
            [Menu.Choice(title: "automatic", detail: "what fits", isOn: now == nil)]
            + ObjectFormat.allCases.map { Menu.Choice(title: $0.title, isOn: $0 == now) }
        state.menu = OpenMenu(
            menu: Menu("Decode \(collection.text) as", choices), purpose: .decoder(of: collection))
    }

    private var selectedCollection: StoredText? {
        if case .collection(let name, _)? = list.subject { return name }
        return list.selectedTexts.map { StoredText($0.collection) }
    }

    private func decode(_ collection: StoredText, as format: ObjectFormat?) {
        state.reading.decoder.formats[collection] = format.map { [$0] }
        list.rows?.decoder = state.reading.decoder
        list.rows?.chooseColumns()
        list.reload(at: now())
        refreshRow()
    }
}
