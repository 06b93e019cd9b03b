import Testing

@testable import HealthJournal

@Suite("A store that lets go of what is old")
struct AgingStoreTests {
    private struct Weight: Sized {
        var byteCount: Int
    }

    @Test("Never holds more than it may, and keeps what is asked for")
    func bound() {
        var store = AgingStore<Int, Weight>(maximumBytes: 1_000)
        store.update(0) { $0 = Weight(byteCount: 10) }
        for key in 1...500 {
            store.update(key) { $0 = Weight(byteCount: 10) }
            #expect(store.count <= 100)
            #expect(store.value(of: 0) != nil)
        }
        #expect(store.contains(500) && !store.contains(1))
    }

    @Test("Counts what grows, shrinks and goes")
    func sizes() {
        var store = AgingStore<Int, Weight>(maximumBytes: 1_000)
        for key in 0..<10 { store.update(key) { $0 = Weight(byteCount: 40) } }
        for key in 0..<10 { store.update(key) { $0?.byteCount = 1 } }
        for key in 10..<40 { store.update(key) { $0 = Weight(byteCount: 10) } }
        #expect(store.count == 40)
        store.remove(3)
        store.update(4) { $0 = nil }
        #expect(store.count == 38 && !store.contains(3) && !store.contains(4))
    }

    @Test("Leaves out what is larger than half of it, and nothing else for it")
    func large() {
        var store = AgingStore<Int, Weight>(maximumBytes: 1_000)
        store.update(1) { $0 = Weight(byteCount: 10) }
        store.update(2) { $0 = Weight(byteCount: 501) }
        #expect(store.contains(1) && !store.contains(2))
    }
}
