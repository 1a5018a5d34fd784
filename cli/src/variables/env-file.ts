import type { Variables } from '@lilac/contract/variable-changes';
import { UsageError } from '../frame/usage-error.ts';

/** `export NAME = value`; what the value is, its first character tells. */
const ASSIGNMENT = /[^\S\n]*(?:export[^\S\n]+)?([A-Za-z_]\w*)[^\S\n]*=[^\S\n]*/y;
/** An empty line, or a comment. */
const NOTHING = /[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y;
/** A # begins a comment only after a space: it may be part of a value. */
const BARE = /(?:[^\s#]|[^\S\n]+(?=[^\s#])|(?<=\S)#)*/y;
const QUOTED = { '"': /"((?:[^"\\]|\\[^])*)"/y, "'": /'([^']*)'/y, '`': /`([^`]*)`/y } as const;

/**
 * Quotes of all kinds, over several lines too; in double ones \n, \r, \t, \" and \\ are what they are elsewhere.
 * Nothing is expanded: a $ is a $. No message holds a value.
 */
export function parseEnvFile(text: string, file: string): Variables {
  const source = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const found: [name: string, value: string][] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (at < source.length) {
    if (take(NOTHING)) continue;
    const start = at;
    const refuse = (why: string) =>
      new UsageError(`${file}, line ${source.slice(0, start).split('\n').length}: ${why}`);
    const name = take(ASSIGNMENT)?.[1];
    if (name === undefined) throw refuse('this is not NAME=value, nor a comment.');
    const quote = source[at] as keyof typeof QUOTED;
    const value = QUOTED[quote] ? take(QUOTED[quote])?.[1] : take(BARE)![0];
    if (value === undefined) throw refuse(`the value of ${name} begins with ${quote}, and does not end with it.`);
    if (!take(NOTHING))
      throw refuse(`there is something after the end of the value of ${name}. Put all of it in quotes.`);
    found.push([name, quote === '"' ? unescaped(value) : value]);
  }
  return Object.fromEntries(found);
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, (both, character: string) => ESCAPES[character] ?? both);
}

/** In the order of the names, in the form that most programs read alike. */
export function formatEnvFile(variables: Variables): string {
  const names = Object.keys(variables).toSorted();
  return names.map((name) => `${name}=${formatValue(variables[name]!)}\n`).join('');
}

/**
 * Quotes between which everything is as it stands, for dotenv, Node and here alike; single ones first, as a shell has
 * them. A lone CR would be read as the end of a line, and a backslash before the closing quote as part of it.
 */
function formatValue(value: string): string {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  if (/^(?:[^\s'"`#][^\r\n#]*)?\\$/.test(value)) return value;
  const isRaw = !value.includes('\r') && !value.endsWith('\\');
  if (isRaw && !value.includes("'")) return `'${value}'`;
  if (isRaw && !value.includes('`')) return `\`${value}\``;
  // All kinds of quotes in one value: other programs have no way to write that, and this one reads it back.
  const escaped = value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
  return `"${escaped.replaceAll('\r', String.raw`\r`)}"`;
}
