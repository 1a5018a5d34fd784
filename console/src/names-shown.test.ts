import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** What people gave a name may hold marks that turn round the words beside it: `Name` shows it without that. */
const root = fileURLToPath(new URL('.', import.meta.url));

const GIVEN =
  '(?:name|first_name|vcs_branch|branch|accountLogin|subject|organisation|organisationName|schema|client|device|' +
  'userAgent|trouble|statement|\\w*[eE]mail)';

/** Between tags, not in an attribute, a pattern or a text. */
const RAW = new RegExp(`(?<![=$])\\{[\\w.?!]*\\b${GIVEN}(?: (?:\\|\\||\\?\\?) [^}]*)?\\}`, 'g');

/** As a file is called on somebody's computer. */
const RAW_FILE = /(?<![=$])\{nameDropped\(/g;

/** What a screen reader says in the place of what is seen. */
const LABEL = new RegExp(`aria-label=\\{(?:[\\w.?!]*\\b${GIVEN}|\`[^\`]*\\$\\{[^}]*\\b${GIVEN}\\}[^\`]*\`)\\}`, 'g');

/** These names are the console's own. */
const own = new Set(['pages/database/overview/connection-section.tsx', 'pages/environment/logs/time-fields.tsx']);

/** What may be in a name of these is told by a rule of the platform: letters, digits and lines. */
const plain = new Set(['parts/variables-editor/changes.tsx']);

const files = globSync('**/*.tsx', { cwd: root }).filter((file) => !own.has(file) && !plain.has(file));
const findAll = (pattern: RegExp) =>
  files.flatMap((file) =>
    Array.from(readFileSync(`${root}/${file}`, 'utf8').matchAll(pattern), ([found]) => `${file}: ${found}`),
  );

it('a name that somebody gave is shown by the part that makes it safe, or written out in a list of options', () => {
  expect(files.length).toBeGreaterThan(100);
  expect('<dd>{details.client}</dd><p>{one.actor_email ?? none}</p>'.match(RAW)).toHaveLength(2);
  expect(findAll(RAW)).toEqual([]);
  expect(findAll(RAW_FILE)).toEqual([]);
});

it('a label that is read out has no mark in it that is not', () => {
  expect('<li aria-label={one.name}><b aria-label={`Link ${accountLogin}`} />'.match(LABEL)).toHaveLength(2);
  expect(findAll(LABEL)).toEqual([]);
});
