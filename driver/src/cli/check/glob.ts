/**
 * A matcher for file names: `*` and `?` stay inside one folder, `**` crosses folders; a pattern without a slash is
 * matched against the last part of the name.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const expression = new RegExp(`^${pattern.replace(/^\.\//, '').split(/(\*\*\/?|\*|\?)/).map(translate).join('')}$`, 'u');
  const byName = !pattern.includes('/');
  return (path) => {
    const plain = path.replaceAll('\\', '/').replace(/^\.\//, '');
    return expression.test(plain) || (byName && expression.test(plain.slice(plain.lastIndexOf('/') + 1)));
  };
}

function translate(part: string): string {
  switch (part) {
    case '**/': return '(?:.*/)?';
    case '**': return '.*';
    case '*': return '[^/]*';
    case '?': return '[^/]';
    default: return part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  }
}
