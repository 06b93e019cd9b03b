/// Invented documents in the formats of Purus Health.
enum PurusTexts {
    static let models = #"""
        {"uuid": "c8000000-fa28-4648-9bbd-f2eab0227a15", "isPet": false, "personalFamilyName": "Ott", "petBreed": "",
         "personalGivenName": "Kim", "personalGender": "male", "personalBirthdate": -665539200,
         "blood": [{"date": 729763200, "value": "121/79", "comment": "home"}],
         "drugs": [{"date": 758102400, "name": "Metamizol", "information": "250 mg", "comment": ""}],
         "vaccinations": [{"date": 749548800.5, "name": "Flu", "information": "V", "place": "P", "comment": ""}],
         "allergies": [{"information": "Wasps", "comment": "pen"}],
         "illnesses": [{"information": "Gout", "comment": "since 2020"}],
         "risks": [{"information": "Noise", "comment": ""}],
         "medicalHistory": [{"information": "Knee", "comment": "left"}],
         "medicalDocuments": [{"documentName": "e.txt", "documentType": "text/plain", "documentData": "RUNHCg==", "comment": "x"}],
         "humanDoctors": [{"uuid": "e4d7738a-e6d2-4df9-ab20-0eff1724d5b3", "createdAt": 725788800, "updatedAt": 725788800,
           "date": 725788800, "name": "Dr. Blum", "specialty": "Eyes", "contactName": "Front desk", "phone": "1",
           "email": "", "address": "Street 2", "comment": "c"}],
         "weights": [{"uuid": "d6bbcb67-a2f7-47f9-89bf-34ca8c6a8fcf", "createdAt": 757411200, "updatedAt": 757411200,
           "date": 757411200.1234567, "weight": 178.8, "unit": "lbs", "comment": ""},
           {"weight": 81, "unit": "kg"}, {"weight": 4500, "unit": "g"}, {"weight": 80}],
         "petYearlyCosts": [{"uuid": "f9994f18-5845-4b3a-81a5-008adf7a9c99", "createdAt": 757411200,
           "year": 2024, "cost": 1250.0, "currency": "chf", "comment": "all vets"}],
         "emergencyContacts": [{"name": "Jo", "phone": "2", "email": "", "relationship": "wife"}]}
        """#

    static let webServices = #"""
        {"recordName": "3F1D7A52-8C0E-4B7B-9D53-6E0F4A1B2C3E", "recordType": "MedicalRecord", "recordChangeTag": "k1",
         "fields": {"isPet": {"value": 1, "type": "INT64"}, "personalName": {"value": "Rex"},
          "personalAnimalID": {"value": "756000000000001"}, "personalGender": {"value": "Male (neutered)"},
          "vetClinicName": {"value": "Clinic"}, "vetEmail": {"value": "vet@example.org"},
          "weightEntries": {"value": [{"uuid": "050842f5-7487-400c-bb95-15936c6fba96", "createdAt": 1672560000,
            "updatedAt": 1672560000, "date": 1672560000, "weightKg": 8.06, "comment": "", "mood": {"a": [1.50, null]}}]},
          "allergyEntries": {"value": "[{\"date\":null,\"name\":\"Chicken\",\"information\":\"itching\",\"comment\":\"\"}]"}}}
        """#
}
