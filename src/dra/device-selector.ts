/**
 * A condition on a device, compiled to CEL.
 *
 * Selectors of one class or request must all hold (they become separate `cel` entries).
 */
export class DeviceSelector {
  /**
   * A condition written in CEL, taken as it is.
   *
   * Reading an attribute that some device lacks is an error that stops the pod's scheduling on every node:
   * guard each read with `has(…)`, or build the condition from the driver's attributes.
   */
  public static cel(expression: string): DeviceSelector {
    return new DeviceSelector(expression, Shape.RAW);
  }

  /** True when every given selector is true. */
  public static allOf(...selectors: DeviceSelector[]): DeviceSelector {
    return DeviceSelector.join('allOf', ' && ', selectors);
  }

  /** True when at least one of the given selectors is true. */
  public static anyOf(...selectors: DeviceSelector[]): DeviceSelector {
    return DeviceSelector.join('anyOf', ' || ', selectors);
  }

  /**
   * True when none of the given selectors is true.
   *
   * A device without the attribute in question passes: combine with `exists()` where that is not wanted.
   */
  public static noneOf(...selectors: DeviceSelector[]): DeviceSelector {
    const any = DeviceSelector.join('noneOf', ' || ', selectors);
    return new DeviceSelector(`!${any._operand()}`, Shape.UNARY);
  }

  /** @internal */
  public static _leaf(expression: string): DeviceSelector {
    return new DeviceSelector(expression, Shape.JOINED);
  }

  private static join(factory: string, operator: string, selectors: DeviceSelector[]): DeviceSelector {
    if (selectors.length === 0) {
      throw new Error(`'${factory}' must be given at least one selector, got none. Leave the selector out to accept every device.`);
    }
    if (selectors.length === 1) return selectors[0];
    return new DeviceSelector(selectors.map(selector => selector._operand()).join(operator), Shape.JOINED);
  }

  private constructor(
    /** The condition in CEL. */
    public readonly expression: string,
    private readonly shape: Shape,
  ) {}

  /** @internal */
  public _operand(): string {
    if (this.shape === Shape.UNARY) return this.expression;
    // A comment runs to the end of its line and would swallow the closing parenthesis.
    return this.shape === Shape.RAW && this.expression.includes('//') ? `(${this.expression}\n)` : `(${this.expression})`;
  }
}

/** What an expression looks like from outside: only a unary one binds tighter than `&&` and `||`. */
enum Shape { RAW, JOINED, UNARY }
