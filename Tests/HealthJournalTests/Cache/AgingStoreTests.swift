import HealthJournal
import Testing

@testable import JournalCore

@Suite("Cache with a size limit that evicts old values")
struct AgingStoreTests {
    private struct Weight: Sized {
        var byteCount: Int
    }

    @Test("The store never exceeds its size limit, and keeps values that are requested")
    func bound() {
        var store = AgingStore<Int, Weight>(maximumBytes: 1_000)
        store.update(0) { $0 = Weight(byteCount: 10) }
        for key in 1...500 {
            store.update(key) { $0 = Weight(byteCount: 10) }
            #expect(store.count <= 100)
            #expect(store.value(of: 0) != nil)
        }
        #expect(store.contains(500))
        #expect(!store.contains(1))
    }

    @Test("Sizes are updated when values grow, shrink or are removed")
    func sizes() {
        var store = AgingStore<Int, Weight>(maximumBytes: 1_000)
        for key in 0..<10 { store.update(key) { $0 = Weight(byteCount: 40) } }
        for key in 0..<10 { store.update(key) { $0?.byteCount = 1 } }
        for key in 10..<40 { store.update(key) { $0 = Weight(byteCount: 10) } }
        #expect(store.count == 40)
        store.remove(3)
        store.update(4) { $0 = nil }
        #expect(store.count == 38)
        #expect(!store.contains(3))
        #expect(!store.contains(4))
    }

    @Test("A value larger than half the limit is not stored, and evicts no other value")
    func large() {
        var store = AgingStore<Int, Weight>(maximumBytes: 1_000)
        store.update(1) { $0 = Weight(byteCount: 10) }
        store.update(2) { $0 = Weight(byteCount: 501) }
        #expect(store.contains(1))
        #expect(!store.contains(2))
    }
}
