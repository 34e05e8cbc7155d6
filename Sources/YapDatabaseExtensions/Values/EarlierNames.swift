import Foundation
import YapDatabase

// Names that the original announces as renamed, so that a program that still has them compiles, and is told the new ones.

/// The former name of ``CodingType``.
@available(*, deprecated, renamed: "CodingType")
public typealias Archiver = CodingType

/// The former name of ``ValueCoding``, whose coders were called archivers.
@available(*, deprecated, message: "Use ValueCoding, with Coder instead of ArchiverType.")
public protocol Saveable: ValueCoding where Coder == ArchiverType {
    /// The type of the objects that are stored.
    associatedtype ArchiverType: CodingType where ArchiverType.ValueType == Self
}

/// An item whose metadata is an object. ``Persistable`` says so by the type of its metadata.
@available(*, deprecated, message: "Use Persistable, with a MetadataType that has NSCoding.")
public protocol ObjectMetadataPersistable: Persistable where MetadataType: NSCoding {}

/// An item whose metadata is a value with a coder. ``Persistable`` says so by the type of its metadata.
@available(*, deprecated, message: "Use Persistable, with a MetadataType that has ValueCoding.")
public protocol ValueMetadataPersistable: Persistable
where MetadataType: ValueCoding, MetadataType.Coder: NSCoding {}
