/**
 * The candidate that a person most likely meant, or undefined if none is close or the word itself is a candidate.
 *
 * Close is an edit distance (insert, delete, replace, swap of neighbours; upper and lower case are equal) of a third of
 * the word, 2 at most. Ties go to the candidate that sorts first.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) {
    return undefined;
  }
  const wanted = word.toLowerCase();
  let bound = Math.min(MAX_DISTANCE, Math.floor(word.length / 3));
  let found: string | undefined;
  for (const candidate of candidates) {
    if (candidate === word) {
      return undefined;
    }
    const distance = editDistance(wanted, candidate.toLowerCase(), bound);
    if (distance < bound || (distance === bound && (found === undefined || candidate < found))) {
      bound = distance;
      found = candidate;
    }
  }
  return found;
}

/** Edit distance with swaps of neighbours (optimal string alignment), or `bound + 1` if it is above `bound`. */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) > bound) {
    return bound + 1;
  }
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let smallest = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, beforePrevious[column - 2] + 1);
      }
      current.push(cost);
      smallest = Math.min(smallest, cost);
    }
    if (smallest > bound) {
      return bound + 1;
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length];
}

const MAX_DISTANCE = 2;
/** No Kubernetes name that is worth a suggestion is longer. */
const MAX_LENGTH = 253;
