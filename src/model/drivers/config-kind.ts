/** One kind of opaque config object that a driver reads. */
export interface ConfigKind extends ConfigShape {
  /** Absent where the driver's config has no apiVersion field. */
  readonly apiVersion?: string;
  /** Absent where the driver's config has no kind field. */
  readonly kind?: string;
  /** The driver's feature gate without which this kind is of no use. */
  readonly gate?: string;
  /** Whether the driver refuses a field it does not know; if not, it drops it silently. */
  readonly unknownFields: 'refused' | 'dropped';
  /** `refused`: null and an empty text are values like others. Absent: they are as if left out, as the Go types of most drivers read them. */
  readonly emptyFields?: 'refused';
  /** Device types it may be applied to; absent means all. */
  readonly devices?: readonly string[];
  readonly description: string;
}

/** The fields of one object and the rules between them. */
export interface ConfigShape {
  readonly fields: readonly ConfigField[];
  readonly rules?: readonly ConfigRule[];
}

/** One field of a config object. */
export interface ConfigField {
  readonly name: string;
  readonly type: 'string' | 'int' | 'bool' | 'quantity' | 'object' | 'list' | 'map';
  readonly description: string;
  readonly required?: boolean;
  /** The closed set of values of a string or int. */
  readonly values?: readonly ConfigValue[];
  /** Bounds of an int, or of the length of a string; both ends allowed. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Smallest allowed quantity. */
  readonly least?: string;
  /** A regular expression that a string must match in full, and the words for it. */
  readonly pattern?: { readonly matches: string; readonly words: string };
  /** Fields of an `object`. */
  readonly shape?: ConfigShape;
  /** What a `list` or a `map` holds. */
  readonly items?: ConfigItems;
}

/** An allowed value and the switch it needs. */
export interface ConfigValue {
  readonly value: string | number;
  /** The driver's feature gate that must be on for it. */
  readonly gate?: string;
  /** Refused while the driver lets several claims share a device. */
  readonly notWithSharedDevices?: boolean;
}

/** The type of the members of a list or map. */
export type ConfigItems = Omit<ConfigField, 'name' | 'description'>;

/**
 * A rule between fields of one object: when the condition holds, `requires` must be there or `refuses` must not be.
 *
 * Paths are dotted, relative to the object that holds the rule.
 */
export interface ConfigRule {
  readonly when?: ConfigCondition;
  readonly unless?: ConfigCondition;
  readonly requires?: string;
  readonly refuses?: string;
  /** Completes "must be …" or "must not be …". */
  readonly rule: string;
  readonly help: string;
}

/** Holds when the field has the value; without `equals`, when the field is there and not empty. */
export interface ConfigCondition {
  readonly path: string;
  readonly equals?: string | number | boolean;
}
