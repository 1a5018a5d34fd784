import { refuse } from './parse-dockerfile.ts';

const NAME = String.raw`[A-Za-z0-9_][\w./:@-]*`;
const VALUE = String.raw`(?:"(?:[^"\\]|\\.)*"|'[^'\\]*'|(?:[^\s"'\\]|\\.)*)`;
const PAIR = new RegExp(String.raw`(?:"(${NAME})"|'(${NAME})'|(${NAME}))=(${VALUE})(?:[\t ]+|$)`, 'y');
/** `LABEL name all that follows`, as it was written once. */
const OLD = new RegExp(String.raw`^(${NAME})[\t ]+\S`);

/**
 * The labels of an image, written anew. By labels the platform finds what it has made, and the engine copies them
 * onto whatever it makes of an image: so those that begin with `lilac.` are nobody's to set, however they are written.
 */
export function checkLabels(rest: string, line: number): string {
  const old = OLD.exec(rest)?.[1];
  if (old !== undefined) {
    refuseOurs(old, line);
    return rest;
  }
  const pairs: string[] = [];
  for (PAIR.lastIndex = 0; PAIR.lastIndex < rest.length;) {
    const [, double, single, bare, value = ''] = PAIR.exec(rest) ?? [];
    const name = double ?? single ?? bare;
    if (name === undefined)
      throw refuse(line, 'Labels must read: LABEL name="value", with a name written out plainly.');
    refuseOurs(name, line);
    pairs.push(`${name}=${value}`);
  }
  return pairs.join(' ');
}

function refuseOurs(name: string, line: number): void {
  if (/^lilac[.]/i.test(name))
    throw refuse(line, `Labels that begin with lilac. are the platform’s own. Rename ${name}.`);
}
