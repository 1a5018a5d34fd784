/** Where a path of a tree really is, links followed as a kernel would; null when that is outside the tree or nowhere. */
export function resolvePath(links: ReadonlyMap<string, string>, path: string): string | null {
  const resolved: string[] = [];
  const ahead = path.split('/').toReversed();
  let followed = 0;
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (resolved.pop() === undefined) return null;
      continue;
    }
    const target = links.get([...resolved, part].join('/'));
    if (target === undefined) {
      resolved.push(part);
      continue;
    }
    followed += 1;
    if (followed > MAX_LINKS || target.startsWith('/')) return null;
    ahead.push(...target.split('/').toReversed());
  }
  return resolved.join('/');
}

/** As Linux has it. */
const MAX_LINKS = 40;
