/** `1 node`, `3 nodes`; the plural is the singular with an s unless given. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** `a`, `a and b`, `a, b and c`; beyond `most` names the rest is counted. */
export function listed(names: readonly string[], word = 'and', most = 6): string {
  const shown = names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${word} ${shown[shown.length - 1]}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? capitalized(text) : `${capitalized(text)}.`;
}

/** Items by key, in the order in which they come. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
