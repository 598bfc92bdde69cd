import type { LabelRequirement, LabelSelector } from '../model/api';

/** Which nodes are meant, by their labels. */
export class NodeSelection {
  /** Nodes that have all of these labels. */
  public static labels(labels: { readonly [key: string]: string }): NodeSelection {
    return new NodeSelection(Object.entries(labels), []);
  }

  /** Nodes whose label has one of these values. */
  public static labelIn(key: string, ...values: string[]): NodeSelection {
    return new NodeSelection([], [{ key, operator: 'In', values }]);
  }

  /** Nodes whose label has none of these values; also those without the label. */
  public static labelNotIn(key: string, ...values: string[]): NodeSelection {
    return new NodeSelection([], [{ key, operator: 'NotIn', values }]);
  }

  /** Nodes that have the label, whatever its value. */
  public static labelExists(key: string): NodeSelection {
    return new NodeSelection([], [{ key, operator: 'Exists' }]);
  }

  /** Nodes that do not have the label. */
  public static labelMissing(key: string): NodeSelection {
    return new NodeSelection([], [{ key, operator: 'DoesNotExist' }]);
  }

  /** Nodes that all of these select. */
  public static allOf(...selections: NodeSelection[]): NodeSelection {
    const labels = selections.flatMap(selection => selection.equal);
    // A key of a map has one value; a second one is a condition that no node meets, which the checks tell.
    const first = labels.filter(([key], index) => labels.findIndex(([other]) => other === key) === index);
    const second = labels.filter(label => !first.includes(label)).map(([key, value]): LabelRequirement => ({ key, operator: 'In', values: [value] }));
    return new NodeSelection(first, [...selections.flatMap(selection => selection.requirements), ...second]);
  }

  private constructor(private readonly equal: ReadonlyArray<readonly [string, string]>, private readonly requirements: readonly LabelRequirement[]) {}

  /** @internal */
  public _toJson(): LabelSelector {
    return {
      ...(this.equal.length === 0 ? {} : { matchLabels: Object.fromEntries([...this.equal].sort(([a], [b]) => (a < b ? -1 : 1))) }),
      ...(this.requirements.length === 0 ? {} : { matchExpressions: [...this.requirements] }),
    };
  }
}
