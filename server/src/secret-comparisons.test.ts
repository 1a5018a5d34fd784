import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Both sides are the platform's own: nobody who asks chooses one of them. */
const OWN = ['edge/certificates/ticket-keys.ts', 'modules/vcs/connections/fresh-token.ts'];

const SECRET = /(secret|signature|token|password|proof|hmac)$/i;
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

/** The lines that compare anything. */
const textOf = (path: string) =>
  readFileSync(join(import.meta.dirname, path), 'utf8')
    .split('\n')
    .filter((line) => /[!=]==|\.equals\(|timingSafeEqual\(/.test(line))
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
  const written = ['given === hookSecret', 'request.signature !== expected', 'a.token!.equals(found?.password)'];
  expect(written.flatMap(comparisons).filter(isOpen)).toHaveLength(written.length);
  const harmless = [
    "typeof key.secret === 'string'",
    'token === null',
    'config.token !== undefined',
    'hash === digest',
  ];
  expect(harmless.flatMap(comparisons).filter(isOpen)).toEqual([]);
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(path),
  );
  expect(files.length).toBeGreaterThan(500);
  const read = files.map((path) => ({ path, text: textOf(path) }));
  const offenders = read.filter(({ text }) => comparisons(text).some(isOpen)).map(({ path }) => path);
  expect(offenders.toSorted()).toEqual(OWN);
  // What they are compared by instead.
  expect(read.filter(({ text }) => text.includes('timingSafeEqual(')).length).toBeGreaterThan(5);
});
