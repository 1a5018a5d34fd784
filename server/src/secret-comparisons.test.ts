import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The one place that compares secrets; its own test shows how. */
const COMPARER = 'lib/same-text.ts';

/** Who has secrets compared, and how often: one that does it otherwise, or a new one, shows here. */
const ASKERS = {
  'edge/instances/environment-gate.ts': 1,
  'edge/lock/unlock-cookie.ts': 1,
  'http/admit.ts': 1,
  'http/metrics-endpoint.ts': 1,
  'modules/vcs/attempts/attempt-signature.ts': 2,
  'modules/vcs/settings/setup-link.ts': 1,
  'objects/server/signed-address.ts': 1,
  'runtime/swarm/init/control-server.ts': 1,
  'runtime/swarm/pack-tool.ts': 1,
  'vcs/bitbucket/read-delivery.ts': 1,
  'vcs/github/read-delivery.ts': 1,
  'vcs/gitlab/read-delivery.ts': 1,
};

/** Both sides are the platform's own: nobody who asks chooses one of them. */
const OWN = ['edge/certificates/ticket-keys.ts', 'modules/vcs/connections/fresh-token.ts'];

const SECRET = /(secret|signature|token|password|proof|hmac|mac|seal)(Of)?$/i;
const CONSTANT = /^([A-Z_0-9]+|null|undefined|true|false|-?\d.*|['"`].*)$/;

/** The operands of comparisons that stop at the first difference. */
function comparisons(text: string): [string, string][] {
  const compared = text.matchAll(/(typeof )?([\w.?!#]+)(?:\([^()]*\))? (?:===|!==) ([\w.?!#'"`-]+)/g);
  const equals = text.matchAll(/([\w.?!#]+)\.equals\(([\w.?!#]+)/g);
  return [
    ...[...compared].filter(([, type]) => type === undefined).map((found): [string, string] => [found[2]!, found[3]!]),
    ...[...equals].map((found): [string, string] => [found[1]!, found[2]!]),
  ];
}

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(import.meta.dirname, path), 'utf8') }));

/** The lines that compare anything. */
const comparingLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => /[!=]==|\.equals\(/.test(line))
    .join('\n');

const lastName = (operand: string) =>
  operand
    .replace(/[?!]+$/, '')
    .split('.')
    .at(-1)!;

function isOpen([one, other]: [string, string]): boolean {
  const names = [lastName(one), lastName(other)];
  return names.some((name) => SECRET.test(name) && !CONSTANT.test(name)) && !names.some((name) => CONSTANT.test(name));
}

it('no secret is compared in a way whose time tells where it differs', () => {
  const written = [
    'given === hookSecret',
    'given === proofOf(key, id)',
    'request.signature !== expected',
    'a.token!.equals(found?.password)',
  ];
  expect(written.flatMap(comparisons).filter(isOpen)).toHaveLength(written.length);
  const harmless = [
    "typeof key.secret === 'string'",
    'token === null',
    'config.token !== undefined',
    'hash === digest',
  ];
  expect(harmless.flatMap(comparisons).filter(isOpen)).toEqual([]);
  expect(files.length).toBeGreaterThan(500);
  const offenders = files.filter(({ text }) => comparisons(comparingLines(text)).some(isOpen));
  expect(offenders.map(({ path }) => path).toSorted()).toEqual(OWN);
});

it('one file compares secrets in constant time, and whoever has one to compare asks it', () => {
  const [comparer] = files.filter(({ text }) => text.includes('timingSafeEqual'));
  expect(files.filter(({ text }) => text.includes('timingSafeEqual')).map(({ path }) => path)).toEqual([COMPARER]);
  expect(comparisons(comparingLines(comparer!.text))).toEqual([['one.length', 'other.length']]);
  const asked = files
    .filter(({ path }) => path !== COMPARER)
    .map(({ path, text }) => [path, [...text.matchAll(/\bisSame(?:Text|Bytes)\(/g)].length] as const)
    .filter(([, times]) => times > 0);
  expect(Object.fromEntries(asked)).toEqual(ASKERS);
  const imports = files.filter(({ text }) =>
    /import \{[^}]*isSame(?:Text|Bytes)\b[^}]*\} from '[./]*\/lib\/same-text\.ts'/.test(text),
  );
  expect(imports.map(({ path }) => path).toSorted()).toEqual(Object.keys(ASKERS));
});
