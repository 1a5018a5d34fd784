import { type Token, tokenise } from './script-tokens.ts';

/** What a config file written in JavaScript says, as far as it can be read without running it. */
export interface ScriptSettings {
  /** The modules it imports. */
  imports: ReadonlySet<string>;
  /**
   * The value of a key such as `outDir`, or of a key within another such as `dir.output`; null where the
   * file does not name it. What lies within `outside` is passed over.
   */
  find(key: string, outside?: string): ScriptValue | null;
}

export interface ScriptValue {
  /** The texts in the expression, in their order: one for `'dist'` and for `resolve(__dirname, 'dist')`. */
  strings: readonly string[];
  /** The names in it: `true`, `process`, `NODE_ENV`. */
  words: readonly string[];
}

interface Setting extends ScriptValue {
  path: string;
}

/** They bound the work that a file made for the purpose could cause. */
const MAX_VALUE_TOKENS = 400;
const MAX_DEPTH = 12;
/** Names are put together, those of all that encloses them too. */
const MAX_NAME_CHARACTERS = 214;

const NOTHING: ScriptSettings = { imports: new Set(), find: () => null };

export function readScriptSettings(source: string | null): ScriptSettings {
  if (!source) return NOTHING;
  const tokens = tokenise(source);
  const settings = findSettings(tokens);
  return {
    imports: findImports(tokens),
    find: (key, outside) =>
      settings.find(
        ({ path }) => (path === key || path.endsWith(`.${key}`)) && !(outside && path.split('.').includes(outside)),
      ) ?? null,
  };
}

/** The one text of a value; null where there is none, or where it depends on something. */
export function onlyString(value: ScriptValue | null): string | null {
  return value?.strings.length === 1 ? (value.strings[0] ?? null) : null;
}

/**
 * Whether a value is this text. Where it depends on something, only a look at NODE_ENV is understood: a build
 * is one for production.
 */
export function isSetTo(value: ScriptValue | null, text: string): boolean {
  if (!value?.strings.includes(text)) return false;
  const isConditional = value.strings.length > 1 || value.words.includes('process');
  return !isConditional || (value.words.includes('NODE_ENV') && value.strings.includes('production'));
}

function findSettings(tokens: readonly Token[]): Setting[] {
  const settings: Setting[] = [];
  const enclosing: (string | null)[] = [];
  let key: string | null = null;
  for (const [index, token] of tokens.entries()) {
    if (isSign(token, '{', '[', '(')) {
      enclosing.push(key);
      key = null;
    } else if (isSign(token, '}', ']', ')')) {
      enclosing.pop();
      key = null;
    } else if (isSign(token, ',', ';')) key = null;
    else if (isKey(token, tokens[index + 1])) {
      key = token.text;
      const path = [...enclosing.slice(-MAX_DEPTH), key].filter((name) => name !== null).join('.');
      settings.push({ path, ...valueFrom(tokens, index + 2, isSign(tokens[index + 1], '=')) });
    }
  }
  return settings;
}

function isKey(token: Token, next: Token | undefined): boolean {
  return token.kind !== 'sign' && token.text.length <= MAX_NAME_CHARACTERS && isSign(next, ':', '=');
}

/** Up to the comma or bracket that ends it; an assignment also ends with its line. */
function valueFrom(tokens: readonly Token[], start: number, isAssigned: boolean): ScriptValue {
  const strings: string[] = [];
  const words: string[] = [];
  let depth = 0;
  for (let index = start; index < Math.min(tokens.length, start + MAX_VALUE_TOKENS); index++) {
    const token = tokens[index]!;
    if (isSign(token, '{', '[', '(')) depth++;
    else if (isSign(token, '}', ']', ')') && --depth < 0) break;
    else if (depth === 0 && isSign(token, ',', ';')) break;
    else if (depth === 0 && isAssigned && index > start && token.line > tokens[index - 1]!.line) break;
    if (token.kind === 'string') strings.push(token.text);
    else if (token.kind === 'word') words.push(token.text);
  }
  return { strings, words };
}

function findImports(tokens: readonly Token[]): ReadonlySet<string> {
  const isImported = (index: number) => {
    const [before, previous] = [tokens[index - 2], tokens[index - 1]];
    return isWord(previous, 'from', 'import') || (isSign(previous, '(') && isWord(before, 'require', 'import'));
  };
  return new Set(tokens.filter((token, index) => isNameable(token) && isImported(index)).map((token) => token.text));
}

const isNameable = ({ kind, text }: Token): boolean => kind === 'string' && text.length <= MAX_NAME_CHARACTERS;

function isSign(token: Token | undefined, ...signs: readonly string[]): boolean {
  return token?.kind === 'sign' && signs.includes(token.text);
}

function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text);
}
