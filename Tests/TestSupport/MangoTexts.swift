/// Documents of Mango Health.
package enum MangoTexts {
    /// A document with each field of the format at least once, the three forms of times, and fields that no format has.
    package static let whole = #"""
        {"users": {"kV9uid7Anna": {
          "id": "kV9uid7Anna", "email": "anna@example.org", "displayName": "Anna Berg",
          "profileImageURL": "https://pictures.example.org/anna.png", "createdAt": "2025-11-01T09:30:00Z",
          "lastLoginAt": {"seconds": 1764583200, "nanoseconds": 123456789}, "subscriptionStatus": "trial",
          "subscriptionType": "annual", "trialEndDate": 820454400.5, "referrer": {"code": "spring", "visits": 1.50},
          "preferences": {"notificationsEnabled": true, "voiceInputEnabled": false, "reminderFrequency": "three_daily",
            "timeZone": "Europe/Zurich", "language": "de-CH", "theme": "dark"},
          "caregiverAccess": {"enabled": true, "maxCaregivers": 3, "caregivers": [
            {"id": "7B1F0C5E-0D0B-4C53-8C40-5C6B9B3E1A01", "caregiverId": "kV9uid7Ben", "caregiverEmail": "ben@example.org",
             "caregiverName": "Ben Berg", "accessLevel": "readonly", "grantedAt": "2025-11-02T10:00:00.250Z",
             "permissions": ["myhealth", "doctorlist"], "notificationsEnabled": true, "isActive": true},
            {"id": "7B1F0C5E-0D0B-4C53-8C40-5C6B9B3E1A02", "caregiverId": "kV9uid7Cleo", "caregiverEmail": "c@example.org",
             "caregiverName": "Cleo", "accessLevel": "readonly", "grantedAt": 783770400,
             "permissions": ["myhealth", "groups", "conflicts"], "notificationsEnabled": false, "isActive": false}]},
          "medications": {
            "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0001": {
              "id": "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0001", "userId": "kV9uid7Anna", "name": "Lisinopril",
              "dosage": "10mg", "frequency": "twice_daily", "notes": "with water", "prescribedBy": "Dr. Ines Okafor",
              "startDate": "2025-11-03T00:00:00+01:00", "endDate": "2026-05-01T00:00:00+02:00", "isActive": true,
              "createdAt": "2025-11-02T18:00:00Z", "updatedAt": 785000000.125, "voiceEntryUsed": true,
              "schedule": [
                {"id": "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0011", "time": "2025-11-03T08:00:00+01:00",
                 "dosageAmount": "1 tablet", "instructions": "Take with food", "isCompleted": true,
                 "completedAt": "2026-02-20T07:12:00Z", "skipped": false},
                {"id": "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0012", "time": {"seconds": 1762196400, "nanoseconds": 0},
                 "dosageAmount": "half a tablet", "instructions": null, "isCompleted": false,
                 "completedAt": "2026-02-20T19:30:00Z", "skipped": true, "skippedReason": "felt dizzy"}]},
            "seven-letters": {
              "id": "seven-letters", "userId": "kV9uid7Anna", "name": "Ibuprofen", "dosage": "2 tablets",
              "frequency": "as_needed", "schedule": [], "startDate": 784000000, "isActive": false,
              "createdAt": 784000000, "updatedAt": 784900000, "voiceEntryUsed": false, "shelf": ["left", 2]},
            "odd": {
              "id": "odd", "userId": "kV9uid7Anna", "name": "Metformin", "dosage": "one with each meal",
              "frequency": "once_daily", "startDate": "2026-01-01T12:00:00Z", "isActive": true,
              "createdAt": "2026-01-01T12:00:00Z", "updatedAt": "2026-01-01T12:00:00Z", "voiceEntryUsed": false,
              "schedule": [
                {"id": "a", "time": "2026-01-01T07:00:00Z", "dosageAmount": "500mg", "isCompleted": true, "skipped": false},
                {"id": "b", "time": "2026-01-01T07:00:00Z", "dosageAmount": "500 mg", "isCompleted": false,
                 "skipped": false}]}},
          "supplements": {
            "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0002": {
              "id": "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0002", "userId": "kV9uid7Anna", "name": "Vitamin D3",
              "dosage": "1 capsule", "frequency": "weekly", "notes": "winter only", "purpose": "Bones",
              "brand": "Sunny", "isActive": true, "createdAt": "2025-11-02T18:05:00Z",
              "updatedAt": "2025-11-02T18:05:00Z", "voiceEntryUsed": false,
              "schedule": [{"id": "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0021", "time": "2025-11-03T09:00:00+01:00",
                "amount": "1 capsule", "withMeal": true, "isCompleted": true,
                "completedAt": {"_seconds": 1771833900, "_nanoseconds": 5000}}]},
            "plain": {"id": "plain", "userId": "kV9uid7Anna", "name": "Zinc", "dosage": "", "frequency": "custom",
              "schedule": [], "isActive": true, "createdAt": 784000000, "updatedAt": 784000000,
              "voiceEntryUsed": false}},
          "diet": {
            "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0003": {
              "id": "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0003", "userId": "kV9uid7Anna", "mealType": "lunch",
              "foods": [{"id": "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0031", "name": "Rice", "quantity": "200 g",
                "calories": 260, "notes": "brown"}, {"id": "f2", "name": "Peas", "calories": 12.5}],
              "allergies": ["peanut", "shellfish"], "notes": "at work", "scheduledTime": "2026-02-20T11:00:00Z",
              "actualTime": "2026-02-20T11:40:00Z", "date": "2026-02-20T00:00:00Z",
              "createdAt": "2026-02-20T11:45:00Z", "updatedAt": "2026-02-20T11:45:00Z", "voiceEntryUsed": true},
            "brunch": {"id": "brunch", "userId": "kV9uid7Anna", "mealType": "brunch", "foods": [], "allergies": [],
              "date": 793400000, "createdAt": 793400000, "updatedAt": 793400000, "voiceEntryUsed": false}},
          "doctors": {
            "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0004": {
              "id": "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0004", "userId": "kV9uid7Anna", "name": "Dr. Ines Okafor",
              "specialty": "General practice", "phoneNumber": "+41 31 555 01 10", "email": "okafor@example.org",
              "address": {"street": "Lindenweg 4", "city": "Bern", "state": "BE", "zipCode": "3000", "country": "CH"},
              "notes": "Mondays", "isImportedFromContacts": true, "contactIdentifier": "410FE041:ABPerson",
              "createdAt": "2025-11-02T17:00:00Z", "updatedAt": "2025-11-02T17:00:00Z"},
            "d2": {"id": "d2", "userId": "kV9uid7Anna", "name": "Dr. Li", "specialty": "Cardiology",
              "address": {"city": "Basel", "country": "US"}, "isImportedFromContacts": false, "createdAt": 784000000,
              "updatedAt": 784000000}},
          "conflicts": {
            "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0005": {
              "id": "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0005", "userId": "kV9uid7Anna",
              "queryText": "May I take ibuprofen with lisinopril?",
              "medications": ["2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0001", "seven-letters", "gone"],
              "supplements": ["2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0002"], "conflictsFound": true, "severity": "high",
              "conflictDetails": [{"id": "2F9C4A10-5A77-4B0D-9C1C-2C8F6F1D0051", "medication1": "Lisinopril",
                "medication2": "Ibuprofen", "interactionType": "kidney", "description": "May harm the kidneys",
                "severity": "high"}],
              "recommendations": ["Ask a doctor or pharmacist"], "educationalInfo": "Both act on the kidneys",
              "source": "medgemma_ai", "createdAt": "2026-02-01T08:00:00Z", "isResolved": true,
              "userNotes": "asked Dr. Okafor"}}}}}
        """#
}
