import type { Attribute } from '../device-json';

/** What a selector sees of a device, in the form of the v1 API. The same device is always the same object. */
export interface SelectorDevice {
  readonly driver: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly capacity: Readonly<Record<string, unknown>>;
  readonly allowMultipleAllocations?: boolean | undefined;
}

/** An expression that can be put to devices, or why it cannot. */
export type CompiledExpression =
  | { readonly compileError: string }
  | { matches(device: SelectorDevice): boolean | { readonly error: string } };

/** A derived attribute that can be computed for devices, or why it cannot. */
export type CompiledAttribute =
  | { readonly compileError: string }
  | { attributeOf(device: SelectorDevice): Attribute | { readonly error: string } };

/** Compiles selectors; asked once for each expression of an allocation. */
export interface SelectorEvaluator {
  compile(expression: string): CompiledExpression;
  /** Needed only for derived attributes, an alpha feature of 1.37. */
  compileAttribute?(expression: string): CompiledAttribute;
}
