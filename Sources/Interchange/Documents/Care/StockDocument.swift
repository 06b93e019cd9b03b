package import FoundationEssentials
package import HealthModel

/// The stock of a plan, and how long it lasts.
package struct StockDocument: APIDocument, Hashable {
    package var plan: UUID
    package var name: String
    package var unit: String?
    package var stock: Stock
    /// The day of the first planned dose that the stock does not cover, by the person's clock.
    package var runOut: Day?
    /// Whether that is not known, because planned doses have no amount that can be counted.
    package var isRunOutUnknown: Bool
    package var refillBy: Day?
    /// For doses that are taken when needed: estimated from the last four weeks.
    package var estimatedRunOut: Day?

    package init(
        plan: UUID,
        name: String,
        unit: String?,
        stock: Stock,
        runOut: Day?,
        isRunOutUnknown: Bool = false,
        refillBy: Day?,
        estimatedRunOut: Day?
    ) {
        self.plan = plan
        self.name = name
        self.unit = unit
        self.stock = stock
        self.runOut = runOut
        self.isRunOutUnknown = isRunOutUnknown
        self.refillBy = refillBy
        self.estimatedRunOut = estimatedRunOut
    }
}

extension StockDocument {
    package static let schema = JSONSchema.object(
        [
            "plan": JSONSchema.identifier, "name": ["type": "string"],
            "differences": JSONSchema.array(
                of: JSONSchema.object([
                    "at": JSONSchema.time, "computed": JSONSchema.amountText, "counted": JSONSchema.amountText,
                ])
            ),
            "packs": JSONSchema.array(
                of: JSONSchema.object(
                    ["amount": JSONSchema.amountText],
                    optional: ["expires": ["type": "string", "format": "date"]]
                )
            ),
        ],
        optional: [
            "unit": ["type": "string"], "level": JSONSchema.amountText, "unknownSince": JSONSchema.time,
            "countedAt": JSONSchema.time, "runOut": ["type": "string", "format": "date"],
            "runOutUnknown": [
                "type": "boolean",
                "description": "Whether planned doses have no amount that can be counted, so that this is not known.",
            ],
            "refillBy": ["type": "string", "format": "date"],
            "estimatedRunOut": ["type": "string", "format": "date"],
            "uncounted": [
                "type": "integer", "minimum": 1,
                "description": "How many doses were taken whose amount cannot be counted; the level leaves them out.",
            ],
        ]
    )

    package var json: JSONValue {
        .present([
            "plan": .string(plan.text), "name": .string(name), "unit": unit.map { .string($0) },
            "level": stock.level.map { .string($0.description) },
            "unknownSince": stock.unknownSince.map { .time($0) }, "countedAt": stock.counted.map { .time($0) },
            "differences": .array(
                stock.differences.map { difference in
                    [
                        "at": .time(difference.at), "computed": .string(difference.computed.description),
                        "counted": .string(difference.counted.description),
                    ]
                }
            ),
            "packs": .array(
                stock.packs.map { pack in
                    .present([
                        "amount": .string(pack.amount.description),
                        "expires": pack.expires.map { .string($0.description) },
                    ])
                }
            ), "runOut": runOut.map { .string($0.description) },
            "runOutUnknown": isRunOutUnknown ? .bool(true) : nil, "refillBy": refillBy.map { .string($0.description) },
            "estimatedRunOut": estimatedRunOut.map { .string($0.description) },
            "uncounted": stock.uncounted == 0 ? nil : .integer(stock.uncounted),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        plan = try object.id("plan")
        name = try object.required("name")
        unit = try object.text("unit")
        stock = Stock(
            level: try object.amount("level"),
            unknownSince: try object.optionalInstant("unknownSince"),
            counted: try object.optionalInstant("countedAt"),
            differences: [],
            packs: [],
            uncounted: try object.optionalInteger("uncounted") ?? 0
        )
        for item in try object.objects("differences") {
            stock.differences.append(
                Stock.Difference(
                    at: try item.instant("at"),
                    computed: try item.requiredAmount("computed"),
                    counted: try item.requiredAmount("counted")
                )
            )
        }
        for item in try object.objects("packs") {
            stock.packs.append(
                Stock.Pack(amount: try item.requiredAmount("amount"), expires: try item.optionalDay("expires"))
            )
        }
        runOut = try object.optionalDay("runOut")
        isRunOutUnknown = try object.optionalFlag("runOutUnknown")
        refillBy = try object.optionalDay("refillBy")
        estimatedRunOut = try object.optionalDay("estimatedRunOut")
    }
}
