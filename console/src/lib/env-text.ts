interface EnvText {
  /** In their order; of a name that comes twice the last value counts. */
  variables: Record<string, string>;
  /** Numbers of the lines that are neither a variable nor a comment. */
  unread: number[];
  /** Names that come more than once. */
  repeated: string[];
}

const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/;
const ignored = /^[ \t]*(?:#[^\n]*)?\r?$/;
/** What needs no quotes in any program that reads such files. */
const plain = /^[\w./:@%+,=~-]+$/;

/** A `.env` file: `export`, comments, and quotes of three kinds, within which a value may have several lines. */
export function parseEnvText(text: string): EnvText {
  const variables = new Map<string, string>();
  const unread: number[] = [];
  const repeated = new Set<string>();
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  for (let line = 1; at < text.length;) {
    const found = assignment.exec(lineAt(text, at));
    const value = found && valueAt(text, at + found[0].length);
    if (found && value && variables.has(found[1]!)) repeated.add(found[1]!);
    if (found && value) variables.set(found[1]!, value.value);
    else if (!ignored.test(lineAt(text, at))) unread.push(line);
    const end = value ? value.end : endOfLine(text, at);
    line += text.slice(at, end).split('\n').length;
    at = end + 1;
  }
  return { variables: Object.fromEntries(variables), unread, repeated: [...repeated] };
}

/** What `parseEnvText` reads back byte for byte. */
export function printEnvText(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join('');
}

function quoted(value: string): string {
  if (value === '' || plain.test(value)) return value;
  if (!/['\r]/.test(value)) return `'${value}'`;
  const escaped = value.replaceAll(/["\\$`]/g, String.raw`\$&`);
  return `"${escaped.replaceAll('\n', String.raw`\n`).replaceAll('\r', String.raw`\r`)}"`;
}

interface Value {
  value: string;
  /** Where its line ends. */
  end: number;
}

/** Null where a quote is opened that nothing closes, or something follows the closing one. */
function valueAt(text: string, start: number): Value | null {
  const quote = text[start];
  if (quote === '"' || quote === "'" || quote === '`') return quotedAt(text, start, quote);
  const end = endOfLine(text, start);
  const value = text.slice(start, end).replace(/(^|[ \t])#.*$/s, '');
  return { value: value.trim(), end };
}

function quotedAt(text: string, start: number, quote: string): Value | null {
  const body = quote === '"' ? /"((?:[^"\\]|\\.)*)"/sy : new RegExp(`${quote}([^${quote}]*)${quote}`, 'y');
  body.lastIndex = start;
  const found = body.exec(text);
  if (!found) return null;
  const end = endOfLine(text, body.lastIndex);
  if (!ignored.test(text.slice(body.lastIndex, end))) return null;
  return { value: quote === '"' ? unescaped(found[1]!) : found[1]!, end };
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

/** A backslash before anything else is a backslash, as in paths of Windows. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([nrt"\\$`])/g, (_all, letter: string) => escapes[letter] ?? letter);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function lineAt(text: string, from: number): string {
  return text.slice(from, endOfLine(text, from));
}
