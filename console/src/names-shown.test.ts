import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** What people gave a name may hold marks that turn round the words beside it: `Name` shows it without that. */
const root = fileURLToPath(new URL('.', import.meta.url));

/** Between tags, not in an attribute, a pattern or a text. */
const RAW =
  /(?<![=$])\{[\w.?!]*\b(?:name|first_name|vcs_branch|branch|accountLogin|subject|organisation)(?: (?:\|\||\?\?) [^}]*)?\}/g;

/** These names are the console's own. */
const own = new Set(['pages/database/overview/connection-section.tsx', 'pages/environment/logs/time-fields.tsx']);

/** What may be in a name of these is told by a rule of the platform: letters, digits and lines. */
const plain = new Set(['parts/variables-editor/changes.tsx']);

it('a name that somebody gave is shown by the part that makes it safe, or written out in a list of options', () => {
  const files = globSync('**/*.tsx', { cwd: root }).filter((file) => !own.has(file) && !plain.has(file));
  expect(files.length).toBeGreaterThan(100);
  const raw = files.flatMap((file) =>
    Array.from(readFileSync(`${root}/${file}`, 'utf8').matchAll(RAW), ([found]) => `${file}: ${found}`),
  );
  expect(raw).toEqual([]);
});
