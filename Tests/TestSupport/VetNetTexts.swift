/// Documents of VetNet for tests.
package enum VetNetTexts {
    /// A practice with two specialists, two owners, three patients, and appointments before and after 2027-03-01.
    package static let whole = """
        {"practices": [{
          "practiceID": "6F9619FF-8B86-4D01-B42D-00CF4FC96400", "name": "Tierklinik am See", "timeZone": "Europe/Zurich",
          "location": {"latitude": 47.3769, "longitude": 8.5417},
          "operatingHours": {
            "weekdays": [
              {"weekday": "monday", "intervals": [{"open": "08:00", "close": "12:00"}, {"open": "13:00", "close": "17:00"}]},
              {"weekday": "tuesday", "intervals": [{"open": "08:00", "close": "17:00"}]}
            ],
            "holidays": [{"day": "2027-08-01", "name": "National day", "yearly": true}], "emergencyHours": null
          },
          "specialties": [{"id": "6F9619FF-8B86-4D01-B42D-00CF4FC96401", "name": "surgery", "category": "surgical"}],
          "createdAt": 789000000, "updatedAt": 789000001.5, "theme": "green",
          "specialists": [
            {"specialistID": "6F9619FF-8B86-4D01-B42D-00CF4FC96402", "name": "Ada Roth", "credentials": "Dr. med. vet.",
             "licenseNumber": "VD-12 345", "isActive": true, "caseLoadPreferences": {"ideal": 8},
             "expertiseAreas": [{"specialty": "surgery", "proficiencyLevel": "expert", "yearsExperience": 12,
                                 "certifications": ["ECVS"]}],
             "availabilitySchedule": {"weeklySchedule": [], "exceptions": [], "preferences": []}},
            {"specialistID": "6F9619FF-8B86-4D01-B42D-00CF4FC96403", "name": "Ben Meier", "credentials": "",
             "licenseNumber": "VD-99", "isActive": false, "expertiseAreas": []}
          ],
          "owners": [
            {"ownerID": "6F9619FF-8B86-4D01-B42D-00CF4FC96404", "firstName": "Clara", "lastName": "Keller",
             "email": "clara@example.org", "phoneNumber": "+41 44 555 01 01", "preferredCommunication": "phone",
             "address": {"street": "Seestrasse 1", "city": "Zürich", "zipCode": "8002", "country": "CH"}, "isActive": true}
          ],
          "patients": [
            {"patientID": "6F9619FF-8B86-4D01-B42D-00CF4FC96405", "name": "Luna", "species": "dog", "breed": "Collie",
             "dateOfBirth": 631148400, "gender": "female", "color": "brown", "microchipNumber": "756098100123456",
             "ownerId": "6F9619FF-8B86-4D01-B42D-00CF4FC96404", "isActive": true,
             "medicalHistory": {"conditions": ["arthritis"], "medications": [{"name": "Carprofen", "dose": "50 mg"}],
                                "allergies": [], "vaccinations": [{"name": "Rabies", "date": "2026-03-02T09:00:00Z"}],
                                "surgicalHistory": [{"name": "Castration", "date": 762000000}]},
             "caseComplexity": {"baseComplexity": 2.0, "speciesModifier": 0.0, "ageModifier": 0.5,
                                "medicalHistoryModifier": 0.5, "lastUpdated": 789000000}},
            {"patientID": "6F9619FF-8B86-4D01-B42D-00CF4FC96406", "name": "Momo", "species": "cat", "gender": "neutered",
             "owner": {"ownerID": "6F9619FF-8B86-4D01-B42D-00CF4FC96404"}, "isActive": false},
            {"patientID": "6F9619FF-8B86-4D01-B42D-00CF4FC96407", "name": "Stray", "species": "cat", "microchipNumber": ""}
          ],
          "appointments": [
            {"appointmentID": "6F9619FF-8B86-4D01-B42D-00CF4FC96408", "scheduledDateTime": "2026-03-02T09:00:00Z",
             "estimatedDuration": 1800, "actualDuration": 2100.5, "status": "completed", "type": "vaccination",
             "reason": "yearly vaccination", "notes": "calm", "appointmentNotes": [{"text": "owner asks about food"}],
             "patientId": "6F9619FF-8B86-4D01-B42D-00CF4FC96405", "specialistId": "6F9619FF-8B86-4D01-B42D-00CF4FC96402"},
            {"id": "6F9619FF-8B86-4D01-B42D-00CF4FC96409", "startTime": "2026-04-06T08:00:00Z",
             "endTime": "2026-04-06T08:20:00Z", "status": "no_show", "appointmentType": "routine",
             "patientId": "6F9619FF-8B86-4D01-B42D-00CF4FC96406", "specialistId": "6F9619FF-8B86-4D01-B42D-00CF4FC96403"},
            {"appointmentID": "6F9619FF-8B86-4D01-B42D-00CF4FC9640A", "scheduledDateTime": "2027-03-02T09:00:00Z",
             "estimatedDuration": 1800, "status": "confirmed", "type": "follow_up", "reason": "knee",
             "patientId": "6F9619FF-8B86-4D01-B42D-00CF4FC96405", "specialistId": "6F9619FF-8B86-4D01-B42D-00CF4FC96402"},
            {"appointmentID": "6F9619FF-8B86-4D01-B42D-00CF4FC9640B", "scheduledDateTime": "2027-03-02T09:15:00Z",
             "estimatedDuration": 1800, "status": "scheduled", "type": "routine",
             "patientId": "6F9619FF-8B86-4D01-B42D-00CF4FC96407", "specialistId": "6F9619FF-8B86-4D01-B42D-00CF4FC96402"}
          ],
          "triageAssessments": [
            {"assessmentID": "6F9619FF-8B86-4D01-B42D-00CF4FC9640C", "vtlUrgencyLevel": 2, "assessedBy": "Nina",
             "patientId": "6F9619FF-8B86-4D01-B42D-00CF4FC96405", "assessmentDateTime": "2026-02-01T10:00:00Z",
             "abcdeAssessment": {"airway": "normal", "breathing": "compromised", "circulation": "normal",
                                 "disability": "normal", "exposure": "notAssessed"},
             "symptoms": ["coughs"], "notes": "since yesterday", "caseComplexityScore": 3.5, "isCompleted": true,
             "vitalSigns": {"temperature": 39.4, "heartRate": 130, "respiratoryRate": 44, "bloodPressure": "120/80",
                            "weight": 21.5, "measuredAt": "2026-02-01T10:05:00Z"}}
          ]
        }]}
        """
}
