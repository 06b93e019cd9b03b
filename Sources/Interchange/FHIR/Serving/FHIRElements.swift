import HealthModel

/// The elements of the types of R4 that belong to a summary, and those that a type demands.
enum FHIRElements {
    /// The elements of a type, without `[x]`.
    struct Named: Sendable {
        var summary: Set<String> = []
        var mandatory: Set<String> = []
    }

    /// The elements of a type; nil for one that is not in the table.
    static func of(_ type: String) -> Named? { table[type] }

    /// Whether a member of a resource is one of the elements, which are named without types: `value` is `valueQuantity`, too.
    static func isAny(of names: Set<String>, _ member: String) -> Bool {
        // What JSON has beside a primitive value belongs to it.
        let member = member.hasPrefix("_") ? String(member.dropFirst()) : member
        if names.contains(member) { return true }
        guard let end = member.firstIndex(where: \.isUppercase) else { return false }
        var start = end
        while true {
            if names.contains(String(member[..<start])), types.contains(member[start...]) { return true }
            let rest = member[member.index(after: start)...]
            guard let next = rest.firstIndex(where: \.isUppercase) else { return false }
            start = next
        }
    }

    /// The types of elements that can have several, as in the names of members.
    private static let types = Set(
        """
        Address Age Annotation Attachment Base64Binary Boolean Canonical Code CodeableConcept Coding ContactPoint Count Date
        DateTime Decimal Distance Dosage Duration Expression HumanName Id Identifier Instant Integer Markdown Meta Money Oid
        Period PositiveInt Quantity Range Ratio Reference SampledData Signature String Time Timing TriggerDefinition
        UnsignedInt Uri Url UsageContext Uuid
        """
        .split { $0.isWhitespace }
    )

    private static let table: [String: Named] = {
        var table: [String: Named] = [:]
        var type = ""
        for word in listed.split(whereSeparator: \.isWhitespace) {
            if word.first?.isUppercase == true {
                type = String(word)
                table[type] = Named()
                continue
            }
            let name = word.prefix { $0.isLetter || $0.isNumber }
            let mark = word.last
            if mark != "+" { table[type]?.summary.insert(String(name)) }
            if mark == "!" || mark == "+" { table[type]?.mandatory.insert(String(name)) }
        }
        return table
    }()

    /// The types, each followed by the elements of its summary.
    ///
    /// `!` is after an element that the type demands, and `+` after such an element that is not of the summary. Generated
    /// from the package fhir.resources 8 for Python, without the types that are not the same in R4 and R4B.
    private static let listed = """
        Account coverage description identifier name owner servicePeriod status! subject type
        ActivityDefinition code contact date description doNotPerform effectivePeriod experimental identifier
            jurisdiction kind name publisher status! title url useContext version
        AdverseEvent actuality! category contributor date detected encounter event identifier location outcome
            recordedDate recorder referenceDocument resultingCondition seriousness severity study subject!
            subjectMedicalHistory suspectEntity
        AllergyIntolerance asserter category clinicalStatus code criticality identifier patient! type
            verificationStatus
        Appointment appointmentType cancelationReason end identifier participant+ reasonCode serviceCategory
            serviceType specialty start status!
        AppointmentResponse actor appointment! identifier participantStatus! participantType
        AuditEvent action agent+ outcome outcomeDesc purposeOfEvent recorded! source+ subtype type!
        Basic author code! created identifier subject
        Binary contentType! securityContext
        BiologicallyDerivedProduct identifier
        BodyStructure active description identifier location morphology patient!
        Bundle entry identifier link signature timestamp total type!
        CapabilityStatement contact date! document experimental fhirVersion! format! implementation
            implementationGuide imports instantiates jurisdiction kind! messaging name patchFormat publisher rest
            software status! title url useContext version
        CarePlan addresses author basedOn category created description encounter identifier instantiatesCanonical
            instantiatesUri intent! partOf period replaces status! subject! title
        CareTeam category encounter identifier managingOrganization name period status subject
        CatalogEntry identifier orderable! referencedItem!
        ChargeItem account bodysite code! context enteredDate enterer identifier occurrence[x] quantity status!
            subject!
        ChargeItemDefinition code contact date derivedFromUri description effectivePeriod experimental identifier
            jurisdiction partOf publisher replaces status! title url! useContext version
        Claim billablePeriod created! insurance! insurer patient! priority! provider! status! type! use!
        ClaimResponse created! insurer! outcome! patient! request status! total type! use!
        ClinicalImpression assessor code date description effective[x] encounter identifier problem status! subject!
        CodeSystem caseSensitive compositional contact content! count date experimental filter hierarchyMeaning
            identifier jurisdiction name property publisher status! supplements title url useContext valueSet version
            versionNeeded
        Communication basedOn encounter identifier instantiatesCanonical instantiatesUri partOf priority reasonCode
            reasonReference status! statusReason subject
        CommunicationRequest authoredOn basedOn doNotPerform encounter groupIdentifier identifier occurrence[x]
            priority reasonCode reasonReference replaces requester sender status!
        CompartmentDefinition code! contact date experimental name! publisher resource search! status! url! useContext
            version
        Composition author! category confidentiality custodian date! encounter event identifier status! subject title!
            type!
        ConceptMap contact date experimental identifier jurisdiction name publisher source[x] status! target[x] title
            url useContext version
        Condition asserter bodySite clinicalStatus code encounter identifier onset[x] recordedDate recorder subject!
            verificationStatus
        Consent category! dateTime identifier organization patient performer policyRule provision scope! source[x]
            status! verification
        Contract applies identifier issued name status subType subject title type version
        Coverage beneficiary! dependent identifier network order payor! period policyHolder status! subscriber
            subscriberId type
        CoverageEligibilityRequest created! insurer! patient! purpose! status!
        CoverageEligibilityResponse created! insurer! outcome! patient! purpose! request! status!
        DetectedIssue author code identified[x] identifier implicated patient severity status!
        Device safety status udiCarrier
        DeviceDefinition parentDevice safety
        DeviceMetric calibration category! color identifier measurementPeriod operationalStatus parent source type!
            unit
        DeviceRequest authoredOn basedOn code[x]! encounter groupIdentifier identifier instantiatesCanonical
            instantiatesUri intent! occurrence[x] performer performerType priorRequest priority reasonCode
            reasonReference requester status subject!
        DeviceUseStatement basedOn bodySite derivedFrom device! identifier reasonCode reasonReference recordedOn
            source status! subject! timing[x]
        DiagnosticReport category code! effective[x] encounter identifier issued media performer resultsInterpreter
            status! subject
        DocumentManifest author content! description identifier masterIdentifier status! subject type
        DocumentReference author category content! context date description docStatus identifier masterIdentifier
            relatesTo securityLabel status! subject type
        Encounter appointment class! diagnosis episodeOfCare identifier participant reasonCode reasonReference
            serviceType status! subject type
        Endpoint address! connectionType! identifier managingOrganization name payloadMimeType payloadType! period
            status!
        EnrollmentRequest status
        EnrollmentResponse status
        EpisodeOfCare diagnosis managingOrganization patient! period status! type
        EventDefinition approvalDate contact date effectivePeriod experimental identifier jurisdiction lastReviewDate
            name publisher status! title trigger! url useContext version
        ExampleScenario contact date experimental identifier jurisdiction name publisher status! url useContext
            version
        ExplanationOfBenefit billablePeriod created! insurance! insurer! outcome! patient! provider! status! total
            type! use!
        FamilyMemberHistory age[x] dataAbsentReason date deceased[x] estimatedAge identifier instantiatesCanonical
            instantiatesUri name patient! reasonCode reasonReference relationship! sex status!
        Flag author category code! encounter identifier period status! subject!
        Goal achievementStatus category description! expressedBy lifecycleStatus! priority start[x] statusDate
            subject!
        GraphDefinition contact date experimental jurisdiction name! publisher start! status! url useContext version
        Group active actual! code identifier managingEntity name quantity type!
        GuidanceResponse identifier module[x]! requestIdentifier status!
        HealthcareService active category comment identifier location name photo providedBy specialty type
        ImagingStudy basedOn description encounter endpoint identifier interpreter location modality note
            numberOfInstances numberOfSeries procedureCode procedureReference reasonCode reasonReference referrer
            series started status! subject!
        Immunization isSubpotent note occurrence[x]! patient! performer primarySource status! vaccineCode!
        ImmunizationEvaluation doseStatus! immunizationEvent! patient! status! targetDisease!
        ImmunizationRecommendation date! identifier patient! recommendation!
        ImplementationGuide contact date dependsOn experimental fhirVersion! global jurisdiction license name!
            packageId! publisher status! title url! useContext version
        InsurancePlan administeredBy coverageArea identifier name ownedBy status type
        Invoice date identifier recipient status! subject totalGross totalNet type
        Library contact content date description effectivePeriod experimental identifier jurisdiction name publisher
            status! title type! url useContext version
        Linkage active author item!
        List code date mode! source status! subject title
        Location description identifier managingOrganization mode name operationalStatus physicalType status type
        Measure clinicalRecommendationStatement compositeScoring contact date definition description disclaimer
            effectivePeriod experimental guidance identifier improvementNotation jurisdiction name publisher
            rateAggregation rationale riskAdjustment scoring status! title type url useContext version
        MeasureReport date identifier improvementNotation measure! period! reporter status! subject type!
        Media basedOn bodySite content! created[x] device deviceName duration encounter frames height identifier
            issued modality operator partOf reasonCode status! subject type view width
        Medication amount code identifier manufacturer status
        MedicationAdministration effective[x]! instantiates medication[x]! partOf performer status! subject!
        MedicationDispense medication[x]! status! subject whenPrepared
        MedicationKnowledge amount code manufacturer status synonym
        MedicationRequest authoredOn basedOn doNotPerform groupIdentifier instantiatesCanonical instantiatesUri
            intent! medication[x]! performerType priority reported[x] requester status! subject!
        MedicationStatement basedOn category context dateAsserted effective[x] identifier medication[x]! partOf
            status! subject!
        MessageDefinition base category contact date! description event[x]! experimental focus identifier jurisdiction
            name parent publisher purpose replaces status! title url useContext version
        MessageHeader author definition destination enterer event[x]! focus reason response responsible sender source!
        MolecularSequence coordinateSystem! device identifier observedSeq patient performer pointer quality quantity
            readCoverage referenceSeq repository specimen structureVariant type variant
        NamingSystem contact date! jurisdiction kind! name! publisher status! uniqueId! useContext
        NutritionOrder dateTime! instantiatesCanonical instantiatesUri intent! orderer patient! status!
        Observation basedOn code! component derivedFrom effective[x] encounter focus hasMember identifier issued
            partOf performer status! subject value[x]
        ObservationDefinition category code! identifier
        OperationDefinition affectsState base code! contact date experimental instance! jurisdiction kind! name!
            publisher resource status! system! title type! url useContext version
        OperationOutcome issue!
        Organization active identifier name partOf type
        OrganizationAffiliation active code identifier location network organization participatingOrganization period
            specialty telecom
        Parameters parameter
        Patient active address birthDate deceased[x] gender identifier link managingOrganization name telecom
        PaymentNotice amount! created! payment! recipient! status!
        PaymentReconciliation created! paymentAmount! paymentDate! paymentIssuer period status!
        Person active birthDate gender managingOrganization name telecom
        PlanDefinition contact date description effectivePeriod experimental identifier jurisdiction name publisher
            status! title type url useContext version
        Practitioner active address birthDate gender identifier name telecom
        PractitionerRole active code identifier location organization period practitioner specialty telecom
        Procedure asserter basedOn bodySite category code encounter identifier instantiatesCanonical instantiatesUri
            location outcome partOf performed[x] performer reasonCode reasonReference recorder status! statusReason
            subject!
        Provenance agent+ recorded! target!
        Questionnaire code contact date effectivePeriod experimental identifier jurisdiction name publisher status!
            subjectType title url useContext version
        QuestionnaireResponse author authored basedOn encounter identifier partOf questionnaire source status! subject
        RelatedPerson active address birthDate gender identifier name patient! relationship telecom
        RequestGroup code groupIdentifier identifier instantiatesCanonical instantiatesUri intent! priority status!
        ResearchDefinition contact date description effectivePeriod experimental exposure exposureAlternative
            identifier jurisdiction name outcome population! publisher status! title url useContext version
        ResearchElementDefinition characteristic! contact date description effectivePeriod experimental identifier
            jurisdiction name publisher shortTitle status! title type! url useContext version
        ResearchStudy category condition contact enrollment focus identifier keyword location partOf period phase
            primaryPurposeType principalInvestigator protocol reasonStopped site sponsor status! title
        ResearchSubject identifier individual! period status! study!
        RiskAssessment code condition encounter identifier method occurrence[x] performer status! subject!
        Schedule active actor! identifier planningHorizon serviceCategory serviceType specialty
        SearchParameter base! code! contact date description! experimental jurisdiction name! publisher status! type!
            url! useContext version
        ServiceRequest asNeeded[x] authoredOn basedOn bodySite category code doNotPerform encounter identifier
            instantiatesCanonical instantiatesUri intent! locationCode locationReference occurrence[x] orderDetail
            patientInstruction performer performerType priority quantity[x] reasonCode reasonReference replaces
            requester requisition specimen status! subject!
        Slot appointmentType end! identifier schedule! serviceCategory serviceType specialty start! status!
        Specimen accessionIdentifier condition identifier receivedTime status subject type
        SpecimenDefinition collection identifier patientPreparation timeAspect typeCollected
        StructureDefinition abstract! baseDefinition contact context contextInvariant date derivation experimental
            fhirVersion identifier jurisdiction keyword kind! name! publisher status! title type! url! useContext
            version
        StructureMap contact date experimental group! identifier import jurisdiction name! publisher status! structure
            title url! useContext version
        Subscription channel! contact criteria! end error reason! status!
        Substance category code! description identifier ingredient instance status
        SupplyDelivery basedOn occurrence[x] partOf status
        SupplyRequest authoredOn category identifier item[x]! occurrence[x] priority quantity! requester status
            supplier
        Task basedOn businessStatus code description encounter executionPeriod focus for groupIdentifier
            instantiatesCanonical instantiatesUri intent! lastModified location owner partOf requester status!
            statusReason
        TerminologyCapabilities contact copyright date! experimental implementation jurisdiction kind! lockedDate name
            publisher software status! title url useContext version
        TestReport identifier issued name result! score status! testScript! tester
        TestScript contact date experimental identifier jurisdiction name! publisher status! title url! useContext
            version
        ValueSet contact date experimental identifier immutable jurisdiction name publisher status! title url
            useContext version
        VerificationResult failureAction need status! statusDate target targetLocation validationProcess
            validationType
        VisionPrescription created! dateWritten! lensSpecification! patient! prescriber! status!
        """
}
