/// The version of the programs; a release is tagged with it.
package enum ProgramVersion {
    package static let current = "0.1.0"
}
