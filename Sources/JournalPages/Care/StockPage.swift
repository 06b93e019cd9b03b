internal import FoundationEssentials
internal import HealthModel
package import Interchange

/// The page of the stock, and when it runs out.
package struct StockPage: WebPage {
    package static let template = Template("stock")

    package let head: RecordHead
    package let items: [Item]
    package let isEmpty: Bool
    package let mayAdd: Bool

    package struct Item: Sendable {
        package let name: String
        package let address: String
        package let level: String
        package let runsOut: String
        package let refill: String?
        package let remarks: [String]
        package let packs: [String]
        package let hasPacks: Bool
    }

    package init(_ head: RecordHead, _ stocks: [StockDocument], mayAdd: Bool, _ reader: Reader) {
        self.head = head
        self.mayAdd = mayAdd && !head.moment.isPast
        items = stocks.map { Item(head, $0, reader) }
        isEmpty = stocks.isEmpty
    }
}

extension StockPage.Item {
    fileprivate init(_ head: RecordHead, _ stock: StockDocument, _ reader: Reader) {
        let words = reader.words
        name = stock.name
        address = "\(head.address)/medication/\(stock.plan.text)/stock"
        level = stock.stock.level.map { reader.amount($0, nil, stock.unit) } ?? words["stockLevelUnknown"]
        if let runOut = stock.runOut {
            runsOut = words["runsOutOn", reader.day(runOut)]
        } else if let estimate = stock.estimatedRunOut {
            runsOut = words["runsOutEstimate", reader.day(estimate)]
        } else if stock.isRunOutUnknown {
            runsOut = words["runsOutUnknown"]
        } else {
            runsOut = words["lastsAYear"]
        }
        refill = stock.refillBy.map { words["refillByDay", reader.day($0)] }
        var remarks: [String] = []
        if let since = stock.stock.unknownSince { remarks.append(words["stockUnknownSince", reader.moment(since)]) }
        if stock.stock.uncounted > 0 {
            let count = reader.number(stock.stock.uncounted)
            remarks.append(words.count(stock.stock.uncounted, "stockUncounted", count))
        }
        if let counted = stock.stock.counted { remarks.append(words["countedAt", reader.moment(counted)]) }
        if let last = stock.stock.differences.last, last.at == stock.stock.counted,
            let difference = last.counted.adding(-last.computed)
        {
            let isFewer = difference < .zero
            let amount = reader.amount(isFewer ? -difference : difference, nil, stock.unit)
            remarks.append(words[isFewer ? "fewerThanLog" : "moreThanLog", amount])
        }
        self.remarks = remarks
        packs = stock.stock.packs.filter { $0.expires != nil }
            .map { pack in
                let amount = reader.amount(pack.amount, nil, stock.unit)
                return words["packOf", amount, pack.expires.map(reader.day) ?? ""]
            }
        hasPacks = !packs.isEmpty
    }
}
