extension VetNetTexts {
    /// A practice in which every member of every entity of the app has a value, and the undefined ones an invented form.
    ///
    /// All appointments are over.
    package static let complete = """
        {"practices": [{
          "practiceID": "6F9619FF-8B86-4D01-B42D-00CF4FC96500", "name": "Praxis Nord", "timeZone": "Europe/Zurich",
          "location": {"latitude": 47.3769, "longitude": 8.5417, "altitude": 408.5,
                       "address": {"street": "Seestrasse 1", "city": "Zürich", "state": "ZH", "zipCode": "8002", "country": "CH"}},
          "operatingHours": {
            "weekdays": [
              {"weekday": "monday", "note": "long", "intervals": [{"open": "08:00", "close": "12:00"}, {"open": "13:00", "close": "17:00"}]},
              {"weekday": "tuesday", "intervals": [{"open": "08:00", "close": "17:00"}]}
            ],
            "holidays": [{"day": "2027-08-01", "name": "National day", "yearly": true, "region": "CH"}],
            "emergencyHours": {"weekdays": [{"weekday": "saturday", "intervals": [{"open": "09:00", "close": "11:00"}]}], "phone": "144"}
          },
          "specialties": [{"id": "6F9619FF-8B86-4D01-B42D-00CF4FC96501", "name": "surgery", "category": "surgical", "code": 7}],
          "createdAt": 700000000, "updatedAt": 700000001.5,
          "specialists": [
            {"specialistID": "6F9619FF-8B86-4D01-B42D-00CF4FC96502", "name": "Ada Roth", "credentials": "Dr. med. vet.",
             "licenseNumber": "VD-12 345", "isActive": true, "practiceSpecialistKey": "x_VD-12 345",
             "caseLoadPreferences": {"idealAppointmentsPerDay": 8, "maximumComplexity": 3.5},
             "expertiseAreas": [{"specialty": "surgery", "proficiencyLevel": "expert", "yearsExperience": 12,
                                 "certifications": ["ECVS"], "since": "2015"}],
             "availabilitySchedule": {
               "weeklySchedule": [{"weekday": "monday", "intervals": [{"open": "08:00", "close": "12:00"}], "room": "A"}],
               "exceptions": [{"date": 789000000, "isAvailable": false, "reason": "course"}],
               "preferences": [{"preferredTimeOfDay": "morning", "weight": 2}]},
             "createdAt": 700000002, "updatedAt": 700000003.25},
            {"specialistID": "6F9619FF-8B86-4D01-B42D-00CF4FC96503", "name": "Ben Meier", "credentials": "TFA",
             "licenseNumber": "VD-99", "isActive": false, "expertiseAreas": [],
             "availabilitySchedule": {"weeklySchedule": [], "exceptions": [], "preferences": []},
             "caseLoadPreferences": {}, "createdAt": "2023-03-09T10:00:00Z", "updatedAt": "2023-03-09T10:00:01.5Z"}
          ],
          "owners": [
            {"ownerID": "6F9619FF-8B86-4D01-B42D-00CF4FC96504", "firstName": "Clara", "lastName": "Keller",
             "email": "Clara@example.org", "emailKey": "clara@example.org", "phoneNumber": "+41 44 555 01 01",
             "preferredCommunication": "sms", "isActive": false, "fullName": "Clara Keller",
             "address": {"street": "Seestrasse 1", "city": "Zürich", "state": "ZH", "zipCode": "8002", "country": "CH", "floor": 3},
             "emergencyContact": {"name": "Paul", "phoneNumber": "+41 44 555 01 02", "email": "p@example.org", "relationship": "son", "hours": "evening"},
             "createdAt": 700000004, "updatedAt": 700000005}
          ],
          "patients": [
            {"patientID": "6F9619FF-8B86-4D01-B42D-00CF4FC96505", "name": "Luna", "species": "dog", "breed": "Collie",
             "dateOfBirth": 631148400, "gender": "neutered", "color": "brown", "microchipNumber": "756098100123456",
             "microchipKey": "756098100123456", "age": 189000000, "ownerId": "6F9619FF-8B86-4D01-B42D-00CF4FC96504",
             "isActive": true, "lastVisit": 794134800,
             "medicalHistory": {
               "conditions": ["arthritis", {"name": "murmur", "severity": 2, "date": 762000000.5}],
               "medications": [{"name": "Carprofen", "dose": "50 mg", "information": "with food", "notes": "twice a day"}],
               "allergies": [{"name": "grass", "information": "itches", "reactions": ["skin", "eyes"]}],
               "vaccinations": [{"name": "Rabies", "date": "2026-03-02T09:00:00Z", "lot": "A1"}],
               "surgicalHistory": [{"name": "Castration", "date": 762000000}], "remarks": {"by": "Ada"}},
             "caseComplexity": {"baseComplexity": 2.0, "speciesModifier": 0.0, "ageModifier": 0.5,
                                "medicalHistoryModifier": 0.5, "lastUpdated": 789000000, "overallComplexity": 3.0},
             "medicalDocuments": [{"documentID": "6F9619FF-8B86-4D01-B42D-00CF4FC96511", "title": "X-ray"}],
             "createdAt": 700000006, "updatedAt": 700000007},
            {"patientID": "6F9619FF-8B86-4D01-B42D-00CF4FC96506", "name": "Momo", "species": "cat", "breed": "Maine Coon",
             "dateOfBirth": "2019-05", "gender": "female", "color": "grey", "microchipNumber": "756098100123457",
             "ownerId": "6F9619FF-8B86-4D01-B42D-00CF4FC96504", "isActive": false,
             "medicalHistory": {"conditions": [{"name": "asthma"}], "medications": [], "allergies": [], "vaccinations": [], "surgicalHistory": []},
             "caseComplexity": {"baseComplexity": 1.0, "speciesModifier": 0.0, "ageModifier": 0.0,
                                "medicalHistoryModifier": 0.0, "lastUpdated": 789000000},
             "createdAt": 700000008, "updatedAt": 700000009}
          ],
          "appointments": [
            {"appointmentID": "6F9619FF-8B86-4D01-B42D-00CF4FC96508", "scheduledDateTime": "2026-03-02T09:00:30Z",
             "estimatedDuration": 1810.5, "actualDuration": 2100.5, "status": "completed", "type": "vaccination",
             "reason": "yearly vaccination", "notes": "calm", "scheduleKey": "a_1",
             "appointmentNotes": [{"noteID": "6F9619FF-8B86-4D01-B42D-00CF4FC96512", "text": "asks about food", "author": "Nina", "createdAt": 794134900}],
             "triageAssessmentID": "6F9619FF-8B86-4D01-B42D-00CF4FC9650C",
             "specialistMatchResult": {"score": 0.91, "candidates": [{"specialistID": "6F9619FF-8B86-4D01-B42D-00CF4FC96502", "score": 0.91}]},
             "patientId": "6F9619FF-8B86-4D01-B42D-00CF4FC96505", "specialistId": "6F9619FF-8B86-4D01-B42D-00CF4FC96502",
             "createdAt": 700000010, "updatedAt": 700000011},
            {"appointmentID": "6F9619FF-8B86-4D01-B42D-00CF4FC96509", "scheduledDateTime": 796636800, "estimatedDuration": 1200,
             "actualDuration": 0, "status": "confirmed", "type": "follow_up", "reason": "cough", "notes": "late",
             "appointmentNotes": [], "triageAssessmentID": "6F9619FF-8B86-4D01-B42D-00CF4FC9650C",
             "specialistMatchResult": {"score": 0.5, "candidates": []},
             "patientId": "6F9619FF-8B86-4D01-B42D-00CF4FC96506", "specialistId": "6F9619FF-8B86-4D01-B42D-00CF4FC96503",
             "createdAt": 700000012, "updatedAt": 700000013}
          ],
          "triageAssessments": [
            {"assessmentID": "6F9619FF-8B86-4D01-B42D-00CF4FC9650C", "vtlUrgencyLevel": 2, "assessedBy": "Nina",
             "patientId": "6F9619FF-8B86-4D01-B42D-00CF4FC96505", "appointmentId": "6F9619FF-8B86-4D01-B42D-00CF4FC96508",
             "assessmentDateTime": "2026-02-01T10:00:00Z",
             "abcdeAssessment": {"airway": "normal", "breathing": "compromised", "circulation": "normal",
                                 "disability": "normal", "exposure": "notAssessed", "order": "ABCDE"},
             "symptoms": ["coughs", "limps"], "notes": "since yesterday", "caseComplexityScore": 3.5, "isCompleted": false,
             "specialistRecommendations": [{"specialistID": "6F9619FF-8B86-4D01-B42D-00CF4FC96502", "rank": 1}],
             "vitalSigns": {"temperature": 39.40, "heartRate": 130, "respiratoryRate": 44, "bloodPressure": "120/80 (left)",
                            "weight": 21.5, "measuredAt": "2026-02-01T10:05:00Z", "device": "M3"},
             "createdAt": 700000014, "updatedAt": 700000015}
          ]
        }]}
        """
}
