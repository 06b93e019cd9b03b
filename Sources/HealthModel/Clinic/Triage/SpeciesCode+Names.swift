/// The fixed table of common names of species: English, German, French, Spanish.
extension SpeciesCode {
    /// The names of the species, each in one species only; compared without case and accents.
    var names: [String] {
        switch self {
        case .dog: SpeciesCode.dogs
        case .cat: SpeciesCode.cats
        case .rabbit: SpeciesCode.rabbits
        case .guineaPig: SpeciesCode.guineaPigs
        case .ferret: SpeciesCode.ferrets
        case .horse: SpeciesCode.horses
        case .bird: SpeciesCode.birds
        case .reptile: SpeciesCode.reptiles
        case .other: SpeciesCode.others
        }
    }

    private static let dogs = [
        "dog", "puppy", "bitch", "canine",
        "Hund", "Hündin", "Welpe", "Rüde",
        "chien", "chienne", "chiot",
        "perro", "perra", "cachorro", "cachorra",
    ]

    private static let cats = [
        "cat", "kitten", "tomcat", "feline",
        "Katze", "Kater", "Kätzchen",
        "chat", "chatte", "chaton",
        "gato", "gata", "gatito", "gatita",
    ]

    private static let rabbits = [
        "rabbit", "bunny", "dwarf rabbit",
        "Kaninchen", "Zwergkaninchen",
        "lapin", "lapine", "lapin nain",
        "conejo", "coneja", "conejo enano",
    ]

    private static let guineaPigs = [
        "guinea pig", "guineaPig", "cavy",
        "Meerschweinchen", "Meerschwein",
        "cochon d'Inde", "cobaye",
        "cobaya", "cuy", "conejillo de Indias",
    ]

    private static let ferrets = [
        "ferret",
        "Frettchen",
        "furet",
        "hurón", "hurona",
    ]

    private static let horses = [
        "horse", "pony", "foal", "mare", "stallion", "gelding", "equine",
        "Pferd", "Pony", "Fohlen", "Stute", "Hengst", "Wallach",
        "cheval", "poney", "poulain", "jument",
        "caballo", "poni", "potro", "yegua",
    ]

    private static let birds = [
        "bird", "parrot", "budgie", "budgerigar", "cockatiel", "cockatoo", "macaw", "canary", "chicken", "hen", "duck",
        "goose", "pigeon", "avian",
        "Vogel", "Papagei", "Wellensittich", "Nymphensittich", "Kakadu", "Ara", "Kanarienvogel", "Huhn", "Henne",
        "Ente",
        "Gans", "Taube",
        "oiseau", "perroquet", "perruche", "cacatoès", "canari", "poule", "canard", "oie",
        "pájaro", "ave", "loro", "periquito", "ninfa", "cacatúa", "canario", "gallina", "pato", "ganso", "paloma",
    ]

    private static let reptiles = [
        "reptile", "tortoise", "turtle", "snake", "lizard", "gecko", "iguana", "chameleon", "bearded dragon",
        "Reptil", "Schildkröte", "Landschildkröte", "Wasserschildkröte", "Schlange", "Eidechse", "Echse", "Leguan",
        "Chamäleon", "Bartagame",
        "tortue", "serpent", "lézard", "iguane", "caméléon", "pogona",
        "tortuga", "serpiente", "lagarto", "camaleón", "dragón barbudo",
    ]

    private static let others = [
        "other", "hamster", "rat", "mouse", "gerbil", "chinchilla", "degu", "hedgehog", "pig", "sheep", "goat", "cow",
        "cattle", "donkey", "mule", "alpaca", "llama", "fish", "frog",
        "anderes", "andere", "Ratte", "Maus", "Rennmaus", "Igel", "Schwein", "Schaf", "Ziege", "Kuh", "Rind", "Esel",
        "Maultier", "Alpaka", "Lama", "Fisch", "Frosch",
        "autre", "souris", "gerbille", "octodon", "hérisson", "cochon", "mouton", "chèvre", "vache", "âne", "mulet",
        "poisson", "grenouille",
        "otro", "otra", "hámster", "rata", "ratón", "jerbo", "erizo", "cerdo", "oveja", "cabra", "vaca", "burro",
        "mula",
        "pez", "rana",
    ]
}
