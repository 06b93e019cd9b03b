import HealthModel

/// The content lines of a calendar or an address book (RFC 5545, section 3.1; RFC 6350, section 3.2).
struct ContentLines {
    /// The most octets of a line, without its end.
    private static let maximum = 75

    private(set) var text = ""

    /// Adds a property whose value needs no escaping.
    mutating func add(_ name: String, _ value: String) {
        var length = 0
        // A line is folded between characters, so that no part of it is malformed UTF-8 by itself.
        for scalar in "\(name):\(value)".unicodeScalars {
            let octets = UTF8.width(scalar)
            if length + octets > ContentLines.maximum {
                text += "\r\n "
                length = 1
            }
            text.unicodeScalars.append(scalar)
            length += octets
        }
        text += "\r\n"
    }

    /// Adds a property with a text as its value.
    mutating func add(_ name: String, text value: String) {
        add(name, Self.escaped(value))
    }

    /// A text as a value of a property.
    static func escaped(_ value: String) -> String {
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\\(scalar)"
            case "\n": escaped += "\\n"
            // Control characters other than a tab are not allowed.
            case _ where scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F: continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Instant {
    /// The instant in UTC as iCalendar and vCard write it, such as `20260302T070000Z`, without fractions of a second.
    var compact: String {
        let second = Instant.microsecondsPerSecond
        let fraction = (microseconds % second + second) % second
        return Instant(microseconds: microseconds - fraction).description.filter { $0 != "-" && $0 != ":" }
    }
}
