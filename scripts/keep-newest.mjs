import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Removes what a folder has that is older than its newest few. */
export function keepNewest(folder, count, isCounted = () => true) {
  const made = readdirSync(folder)
    .filter(isCounted)
    .map((name) => join(folder, name));
  const ages = new Map(made.map((path) => [path, statSync(path).mtimeMs]));
  const old = made.sort((left, right) => ages.get(right) - ages.get(left)).slice(count);
  for (const path of old) rmSync(path, { recursive: true, force: true });
}
