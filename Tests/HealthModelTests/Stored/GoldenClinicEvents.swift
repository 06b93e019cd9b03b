import FoundationEssentials

@testable import HealthModel

/// The events of practices, with their stored bytes.
extension GoldenEvent {
    static func clinic() throws -> [(event: JournalEvent, hex: String)] {
        var clinicName = FieldValues()
        clinicName[PlaceProfile.name] = .text("Two Rooms")
        let clinicTimetable = Timetable(
            usual: try WeeklyHours(parsing: ["mon-tue 08:00-12:00"]),
            emergency: try WeeklyHours(parsing: ["sun 20:00-06:00"]),
            holidays: [try Holiday(parsing: "yearly 2026-08-01 closed National day")]
        )
        let clinicDetails = AppointmentDetails(
            practice: Example.id(60),
            service: Example.id(65),
            type: .followUp,
            start: Instant(microseconds: 60_000_000),
            wall: try WallMoment(parsing: "1970-01-01T01:01"),
            zone: "Europe/Zurich",
            minutes: 30,
            bufferAfter: 5,
            specialist: Example.id(61),
            others: [Example.id(62)],
            places: [Example.id(63)],
            reason: "limps",
            notes: "shy",
            instructions: "fasting"
        )
        var clinicClient = FieldValues()
        for (field, text) in [
            (ClientProfile.firstName, "Clara"), (ClientProfile.lastName, "Keller"), (ClientProfile.phone, "1"),
            (ClientProfile.email, "c@x.ch"), (ClientProfile.preferred, "sms"),
        ] { clinicClient[field] = .text(text) }
        clinicClient[ClientProfile.account] = .id(Example.anna)
        var clinicRegistration = FieldValues()
        clinicRegistration[RegistrationProfile.number] = .text("B-12")
        clinicRegistration[RegistrationProfile.clients] = [Example.id(87)].fieldValue
        clinicRegistration[RegistrationProfile.primary] = .id(Example.id(87))
        clinicRegistration[RegistrationProfile.alerts] = .text("bites")
        var clinicWish = FieldValues()
        clinicWish[WaitProfile.service] = .id(Example.id(65))
        clinicWish[WaitProfile.specialists] = [Example.id(61)].fieldValue
        clinicWish[WaitProfile.urgency] = WaitUrgency.soon.fieldValue
        clinicWish[WaitProfile.from] = .day(Day(daysSince1970: 20_000))
        clinicWish[WaitProfile.until] = .day(Day(daysSince1970: 20_010))
        clinicWish[WaitProfile.hours] = ["mon-fri 08:00-12:00"].fieldValue
        clinicWish[WaitProfile.note] = .text("calls back")
        return [
            (
                JournalEvent(PracticeCreated(profile: PracticeProfile(values: clinicName))),
                "20783a150a1308013a0f0a0d0801120954776f20526f6f6d73"
            ),
            (
                JournalEvent(PracticeChanged(profile: PracticeProfile(values: clinicName))),
                "20793a150a1308013a0f0a0d0801120954776f20526f6f6d73"
            ),
            (
                JournalEvent(TimetableSet(from: Day(daysSince1970: 20_000), timetable: clinicTimetable)),
                "207a3a7c0a06080130c0b8020a2a08025a260a11120f6d6f6e2030383a30302d31323a30300a11120f7475652030383a"
                    + "30302d31323a30300a1708035a130a11120f73756e2032303a30302d30363a30300a2d08045a290a271225796561726c"
                    + "7920323032362d30382d303120636c6f736564204e6174696f6e616c20646179"
            ),
            (
                JournalEvent(SpecialistAdded(practice: Example.id(60), profile: SpecialistProfile(values: clinicName))),
                "207b3a2b0a1408014a103c00000000004000800000000000003c0a1308023a0f0a0d0801120954776f20526f6f6d73"
            ),
            (
                JournalEvent(SpecialistChanged(profile: SpecialistProfile(values: clinicName))),
                "207c3a150a1308013a0f0a0d0801120954776f20526f6f6d73"
            ),
            (
                JournalEvent(
                    AvailabilitySet(
                        practice: Example.id(60),
                        from: Day(daysSince1970: 20_000),
                        hours: clinicTimetable.usual
                    )
                ),
                "207d3a4a0a1408014a103c00000000004000800000000000003c0a06080230c0b8020a2a08035a260a11120f6d6f6e20"
                    + "30383a30302d31323a30300a11120f7475652030383a30302d31323a3030"
            ),
            (
                JournalEvent(
                    AbsenceAdded(
                        absence: Example.id(70),
                        from: Instant(microseconds: 0),
                        until: Instant(microseconds: 1_000_000),
                        why: .sick
                    )
                ),
                "207e3a2e0a1408014a10460000000000400080000000000000460a04080240000a0608034080897a0a08080412047369"
                    + "636b"
            ),
            (
                JournalEvent(AbsenceRemoved(absence: Example.id(70))),
                "207f3a160a1408014a1046000000000040008000000000000046"
            ),
            (JournalEvent(SpecialistEnded(from: Day(daysSince1970: 20_000))), "2080013a080a06080130c0b802"),
            (JournalEvent(SpecialistReturned()), "208101"),
            (
                JournalEvent(SpecialistJoined(practice: Example.id(60))),
                "2082013a160a1408014a103c00000000004000800000000000003c"
            ),
            (
                JournalEvent(SpecialistLeft(practice: Example.id(60), from: Day(daysSince1970: 20_000))),
                "2083013a1e0a1408014a103c00000000004000800000000000003c0a06080230c0b802"
            ),
            (
                JournalEvent(ClientAdded(practice: Example.id(60), profile: ClientProfile(values: clinicClient))),
                "2084013a650a1408014a103c00000000004000800000000000003c0a4d08023a490a0908011205436c6172610a0a0802"
                    + "12064b656c6c65720a0508031201310a0a080412066340782e63680a0708071203736d730a1408084a10030000000000"
                    + "40008000000000000003"
            ),
            (
                JournalEvent(ClientChanged(profile: ClientProfile(values: clinicClient))),
                "2085013a4f0a4d08013a490a0908011205436c6172610a0a080212064b656c6c65720a0508031201310a0a0804120663"
                    + "40782e63680a0708071203736d730a1408084a1003000000000040008000000000000003"
            ),
            (JournalEvent(ClientEnded()), "208601"),
            (JournalEvent(PracticeClosed()), "208701"),
            (
                JournalEvent(ServiceSet(service: Example.id(65), profile: ServiceProfile(values: clinicName))),
                "2088013a2b0a1408014a10410000000000400080000000000000410a1308023a0f0a0d0801120954776f20526f6f6d73"
            ),
            (
                JournalEvent(ServiceEnded(service: Example.id(65))),
                "2089013a160a1408014a1041000000000040008000000000000041"
            ),
            (
                JournalEvent(PlaceSet(place: Example.id(63), profile: PlaceProfile(values: clinicName))),
                "208a013a2b0a1408014a103f00000000004000800000000000003f0a1308023a0f0a0d0801120954776f20526f6f6d73"
            ),
            (JournalEvent(PlaceEnded(place: Example.id(63))), "208b013a160a1408014a103f00000000004000800000000000003f"),
            (
                JournalEvent(
                    MemberGranted(
                        account: Example.anna,
                        membership: Membership(
                            roles: [.nurse, .manager],
                            specialist: Example.id(61),
                            until: Day(daysSince1970: 20_000)
                        )
                    )
                ),
                "208c013a4e0a1408014a10030000000000400080000000000000030a1808025a140a0912076d616e616765720a071205"
                    + "6e757273650a1408034a103d00000000004000800000000000003d0a06080530c0b802"
            ),
            (
                JournalEvent(MemberRevoked(account: Example.anna)),
                "208d013a160a1408014a1003000000000040008000000000000003"
            ),
            (
                JournalEvent(
                    TriageRulesAdopted(
                        rules: "clinic/1",
                        digest: "",
                        text: "triage rules clinic/1",
                        veterinarian: "Ada"
                    )
                ),
                "208e013a320a0c08011208636c696e69632f310a19080312157472696167652072756c657320636c696e69632f310a07"
                    + "08041203416461"
            ),
            (
                JournalEvent(
                    RegistrationRequested(
                        practice: Example.id(60),
                        profile: RegistrationProfile(values: clinicRegistration)
                    )
                ),
                "20b2013a610a1408014a103c00000000004000800000000000003c0a4908023a450a0808011204422d31320a1808025a"
                    + "140a124a10570000000000400080000000000000570a1408034a10570000000000400080000000000000570a0908"
                    + "0412056269746573"
            ),
            (
                JournalEvent(RegistrationMade(practice: Example.id(60), number: "B-12")),
                "208f013a200a1408014a103c00000000004000800000000000003c0a0808021204422d3132"
            ),
            (
                JournalEvent(RegistrationChanged(profile: RegistrationProfile(values: clinicRegistration))),
                "2090013a4b0a4908013a450a0808011204422d31320a1808025a140a124a10570000000000400080000000000000570a"
                    + "1408034a10570000000000400080000000000000570a09080412056269746573"
            ),
            (
                JournalEvent(RegistrationEnded(practice: Example.id(60))),
                "2091013a160a1408014a103c00000000004000800000000000003c"
            ),
            (
                JournalEvent(
                    RecallSet(
                        recall: Example.id(86),
                        service: Example.id(65),
                        due: Day(daysSince1970: 20_000),
                        group: "rabies"
                    )
                ),
                "2092013a400a1408014a10560000000000400080000000000000560a1408024a10410000000000400080000000000000"
                    + "410a06080330c0b8020a0a08041206726162696573"
            ),
            (JournalEvent(RecallMet(recall: Example.id(86))), "2093013a160a1408014a1056000000000040008000000000000056"),
            (
                JournalEvent(RecallDropped(recall: Example.id(86))),
                "2094013a160a1408014a1056000000000040008000000000000056"
            ),
            (
                JournalEvent(
                    SlotTaken(
                        appointment: Example.id(80),
                        from: Instant(microseconds: 0),
                        to: Instant(microseconds: 1_000_000),
                        minutes: 30,
                        until: Instant(microseconds: 2_000_000)
                    )
                ),
                "2095013a330a1408014a10500000000000400080000000000000500a04080240000a0608034080897a0a040804203c0a"
                    + "070805408092f401"
            ),
            (
                JournalEvent(SlotFreed(appointment: Example.id(80))),
                "2096013a160a1408014a1050000000000040008000000000000050"
            ),
            (
                JournalEvent(
                    SlotBlocked(
                        block: Example.id(81),
                        from: Instant(microseconds: 0),
                        to: Instant(microseconds: 1_000_000)
                    )
                ), "2097013a240a1408014a10510000000000400080000000000000510a04080240000a0608034080897a"
            ),
            (
                JournalEvent(WaitAdded(practice: Example.id(60), profile: WaitProfile(values: clinicWish))),
                "2098013a93010a1408014a103c00000000004000800000000000003c0a7b08023a770a1408014a104100000000004000"
                    + "80000000000000410a1808025a140a124a103d00000000004000800000000000003d0a0808031204736f6f6e0a060804"
                    + "30c0b8020a06080530d4b8020a1b08065a170a1512136d6f6e2d6672692030383a30302d31323a30300a0e0807120a63"
                    + "616c6c73206261636b"
            ),
            (
                JournalEvent(WaitOffered(appointment: Example.id(83))),
                "2099013a160a1408014a1053000000000040008000000000000053"
            ),
            (JournalEvent(WaitWithdrawn()), "209a01"),
            (
                JournalEvent(AppointmentHeld(details: clinicDetails, until: Instant(microseconds: 1_000_000))),
                "209c013af4010ae90108013ae4010a1408014a103c00000000004000800000000000003c0a1408024a10410000000000"
                    + "400080000000000000410a0d08031209666f6c6c6f775f75700a07080440809c9c390a1408051210313937302d30312d"
                    + "30315430313a30310a110806120d4575726f70652f5a75726963680a040807203c0a040809200a0a14080a4a103d0000"
                    + "0000004000800000000000003d0a18080b5a140a124a103e00000000004000800000000000003e0a18080c5a140a124a"
                    + "103f00000000004000800000000000003f0a09080d12056c696d70730a07080e12037368790a0b080f12076661737469"
                    + "6e670a0608024080897a"
            ),
            (
                JournalEvent(AppointmentBooked(details: clinicDetails)),
                "209d013aec010ae90108013ae4010a1408014a103c00000000004000800000000000003c0a1408024a10410000000000"
                    + "400080000000000000410a0d08031209666f6c6c6f775f75700a07080440809c9c390a1408051210313937302d30312d"
                    + "30315430313a30310a110806120d4575726f70652f5a75726963680a040807203c0a040809200a0a14080a4a103d0000"
                    + "0000004000800000000000003d0a18080b5a140a124a103e00000000004000800000000000003e0a18080c5a140a124a"
                    + "103f00000000004000800000000000003f0a09080d12056c696d70730a07080e12037368790a0b080f12076661737469"
                    + "6e67"
            ),
            (JournalEvent(AppointmentConfirmed(way: .phone)), "209e013a0b0a090801120570686f6e65"),
            (
                JournalEvent(AppointmentRescheduled(details: clinicDetails)),
                "209f013aec010ae90108013ae4010a1408014a103c00000000004000800000000000003c0a1408024a10410000000000"
                    + "400080000000000000410a0d08031209666f6c6c6f775f75700a07080440809c9c390a1408051210313937302d30312d"
                    + "30315430313a30310a110806120d4575726f70652f5a75726963680a040807203c0a040809200a0a14080a4a103d0000"
                    + "0000004000800000000000003d0a18080b5a140a124a103e00000000004000800000000000003e0a18080c5a140a124a"
                    + "103f00000000004000800000000000003f0a09080d12056c696d70730a07080e12037368790a0b080f12076661737469"
                    + "6e67"
            ),
            (
                JournalEvent(AppointmentReassigned(details: clinicDetails)),
                "20a0013aec010ae90108013ae4010a1408014a103c00000000004000800000000000003c0a1408024a10410000000000"
                    + "400080000000000000410a0d08031209666f6c6c6f775f75700a07080440809c9c390a1408051210313937302d30312d"
                    + "30315430313a30310a110806120d4575726f70652f5a75726963680a040807203c0a040809200a0a14080a4a103d0000"
                    + "0000004000800000000000003d0a18080b5a140a124a103e00000000004000800000000000003e0a18080c5a140a124a"
                    + "103f00000000004000800000000000003f0a09080d12056c696d70730a07080e12037368790a0b080f12076661737469"
                    + "6e67"
            ),
            (
                JournalEvent(AppointmentDisplaced(details: clinicDetails, by: Example.id(82))),
                "20a1013a82020ae90108013ae4010a1408014a103c00000000004000800000000000003c0a1408024a10410000000000"
                    + "400080000000000000410a0d08031209666f6c6c6f775f75700a07080440809c9c390a1408051210313937302d30312d"
                    + "30315430313a30310a110806120d4575726f70652f5a75726963680a040807203c0a040809200a0a14080a4a103d0000"
                    + "0000004000800000000000003d0a18080b5a140a124a103e00000000004000800000000000003e0a18080c5a140a124a"
                    + "103f00000000004000800000000000003f0a09080d12056c696d70730a07080e12037368790a0b080f12076661737469"
                    + "6e670a1408024a1052000000000040008000000000000052"
            ),
            (JournalEvent(AppointmentArrived()), "20a201"),
            (JournalEvent(AppointmentBegun()), "20a301"),
            (JournalEvent(AppointmentCompleted()), "20a401"),
            (
                JournalEvent(AppointmentCancelled(by: .client, code: "ill")),
                "20a5013a150a0a08011206636c69656e740a0708021203696c6c"
            ),
            (JournalEvent(AppointmentMissed()), "20a601"),
            (
                JournalEvent(AppointmentReinstated(details: clinicDetails)),
                "20a7013aec010ae90108013ae4010a1408014a103c00000000004000800000000000003c0a1408024a10410000000000"
                    + "400080000000000000410a0d08031209666f6c6c6f775f75700a07080440809c9c390a1408051210313937302d30312d"
                    + "30315430313a30310a110806120d4575726f70652f5a75726963680a040807203c0a040809200a0a14080a4a103d0000"
                    + "0000004000800000000000003d0a18080b5a140a124a103e00000000004000800000000000003e0a18080c5a140a124a"
                    + "103f00000000004000800000000000003f0a09080d12056c696d70730a07080e12037368790a0b080f12076661737469"
                    + "6e67"
            ),
            (
                JournalEvent(AppointmentChanged(details: clinicDetails)),
                "20a8013aec010ae90108013ae4010a1408014a103c00000000004000800000000000003c0a1408024a10410000000000"
                    + "400080000000000000410a0d08031209666f6c6c6f775f75700a07080440809c9c390a1408051210313937302d30312d"
                    + "30315430313a30310a110806120d4575726f70652f5a75726963680a040807203c0a040809200a0a14080a4a103d0000"
                    + "0000004000800000000000003d0a18080b5a140a124a103e00000000004000800000000000003e0a18080c5a140a124a"
                    + "103f00000000004000800000000000003f0a09080d12056c696d70730a07080e12037368790a0b080f12076661737469"
                    + "6e67"
            ),
            (JournalEvent(AppointmentNoteAdded(text: "called")), "20a9013a0c0a0a0801120663616c6c6564"),
            (JournalEvent(AppointmentRetracted()), "20aa01"),
            (
                JournalEvent(
                    TriageBegun(
                        practice: Example.id(60),
                        arrivedAt: Instant(microseconds: 60_000_000),
                        appointment: Example.id(83),
                        complaint: "vomits"
                    )
                ),
                "20ab013a410a1408014a103c00000000004000800000000000003c0a07080240809c9c390a1408034a10530000000000"
                    + "400080000000000000530a0a08041206766f6d697473"
            ),
            (
                JournalEvent(TriageAssessed(assessment: try clinicAssessment())),
                "20ac013ac6070ac30708013abe070a0f0801120b686a2d7472696167652f310a44080212403061306130613061306130"
                    + "613061306130613061306130613061306130613061306130613061306130613061306130613061306130613061306130"
                    + "61306130610a04080320120a950208043a90020a2108015a1d0a1312116c61626f75726564427265617468696e670a06"
                    + "12046f7572730a0a080212066e6f726d616c0a0f0803120b636f6d70726f6d697365640a0a080412066e6f726d616c0a"
                    + "0a080512066e6f726d616c0a0a080612066e6f726d616c0a0908071a0508940610010a05080920ea020a04080a20500a"
                    + "04080b28010a19080c3a150a05080120f0010a05080220a0010a05080320ba010a09080d1a0508f60410010a08080e1a"
                    + "04081e10010a08080f120470696e6b0a05081020c2010a0908111205616c6572740a04081220020a0e08135a0a0a0812"
                    + "06636f756768730a07081412037368790a0b08151207737572676572790a1408164a103d000000000040008000000000"
                    + "00003d0a880108053a83010a06080130c0b8020a0708021203646f670a05080320904e0a05080420c8020a0608051a02"
                    + "083c0a5a08065a560a253a230a1408014a10540000000000400080000000000000540a0b08021207696c6c6e6573730a"
                    + "2d3a2b0a1408014a10550000000000400080000000000000550a0b08021207737572676572790a06080330c0b8020a04"
                    + "080620040a9f0108075a9a010a313a2f0a060801120252310a08080212047369676e0a15080312116c61626f75726564"
                    + "427265617468696e670a04080520040a303a2e0a060801120252320a0d08021209627265617468696e670a0f0803120b"
                    + "636f6d70726f6d697365640a04080520040a333a310a060801120252340a0d080212096865617274526174650a070803"
                    + "12033138310a09080412053e203138300a04080520040a0c080a5a080a0612046f7572730a62080b3a5e0a0808011a04"
                    + "083c10010a0608021a0210010a0808031a04081410010a0808041a04081410010a0808051a04086410010a2c08065a28"
                    + "0a124a10540000000000400080000000000000540a124a10550000000000400080000000000000550a6d080c5a690a67"
                    + "3a650a1408014a103d00000000004000800000000000003d0a04080220500a3a08035a360a343a320a0d080112097370"
                    + "656369616c74790a04080220500a04080320500a150804121165787065727420696e20737572676572790a0408042000"
                    + "0a05080520b4010a33080d5a2f0a2d3a2b0a1408014a103e00000000004000800000000000003e0a1308025a0f0a0d12"
                    + "0b6e6f7468696e6746726565"
            ),
            (JournalEvent(TriageOverridden(level: .orange)), "20ad013a060a0408012004"),
            (
                JournalEvent(TriageTaken(specialist: Example.id(61))),
                "20ae013a160a1408014a103d00000000004000800000000000003d"
            ),
            (JournalEvent(TriageLeft(why: .transferred)), "20af013a110a0f0801120b7472616e73666572726564"),
            (JournalEvent(TriageRetracted()), "20b001"),
            (JournalEvent(TriageJudged(level: .blue)), "20b1013a060a040801200a"),
            (
                JournalEvent(SourceKept(format: "vetnet", about: Example.id(41), members: Array("{}".utf8))),
                "20b9013a2a0a0a080112067665746e65740a1408024a10290000000000400080000000000000290a06080352027b7d"
            ),
        ]
    }

    /// An assessment with a value in each field.
    private static func clinicAssessment() throws -> TriageAssessment {
        var findings = TriageFindings(values: FieldValues())
        for (name, text) in [
            ("airway", "normal"), ("breathing", "compromised"), ("circulation", "normal"), ("disability", "normal"),
            ("exposure", "normal"), ("temperature", "39.4"), ("heartRate", "181"), ("respiratoryRate", "40"),
            ("panting", "true"), ("bloodPressure.systolic", "120"), ("bloodPressure.diastolic", "80"),
            ("bloodPressure.mean", "93"), ("weight", "31.5"), ("capillaryRefill", "1.5"), ("mucousMembrane", "pink"),
            ("oxygenSaturation", "97"), ("consciousness", "alert"), ("pain", "1"), ("notes", "shy"),
            ("specialty", "surgery"),
        ] { try findings.set(name, text: text) }
        findings.signsFound = [.labouredBreathing, TriageSign("ours")]
        findings.values[TriageFindings.symptoms] = .list([.text("coughs")])
        findings.values[TriageFindings.wished] = .id(Example.id(61))
        var facts = PatientFacts(asOf: Day(daysSince1970: 20_000), species: .dog)
        facts.age = PatientAge(bornOn: Day(daysSince1970: 15_000), at: facts.asOf)
        facts.weight = ExactDecimal(coefficient: 30, scale: 0)
        facts.history = [.init(id: Example.id(84), .illness), .init(id: Example.id(85), .surgery, on: facts.asOf)]
        let digest = String(repeating: "0a", count: 32)
        var assessment = TriageAssessment(findings, of: facts, asOf: 9, by: .version1, digest: digest)
        assessment.ranking = SpecialistRanking(
            ranked: [
                RankedSpecialist(
                    specialist: Example.id(61),
                    lines: [RankingLine(.specialty, 40, because: "expert in surgery")],
                    waitMinutes: 0,
                    bookedMinutes: 90
                )
            ],
            leftOut: [.init(specialist: Example.id(62), reasons: [.nothingFree])]
        )
        return assessment
    }
}
