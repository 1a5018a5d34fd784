import { PathIndex } from './path-index.ts';
import { compilePathPattern } from './path-pattern.ts';
import { RESERVED_HEADERS } from './reserved-headers.ts';
import { hasControls, readPattern, ruleLines, UnusableLine, type ParsedRules, type RuleLine } from './rule-lines.ts';
import { assertTaken, isPastReading, weightOfHeaders } from './rule-limits.ts';
import type { HeaderRule } from './static-manifest.ts';

const MAX_RULES = 1000;
const MAX_VALUE_LENGTH = 4096;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What only the edge knows: a wrong one would break the answer itself. */
const RESERVED = new Set([...RESERVED_HEADERS, 'server']);

/** Reads a `_headers` file: a path on a line of its own, below it `Name: value` lines, `#` begins a comment. */
export function parseHeaders(text: string): ParsedRules<HeaderRule> {
  const parsed: ParsedRules<HeaderRule> = { rules: [], problems: [] };
  const index = new PathIndex<null>();
  let open: { rule: HeaderRule | null; at: number } | null = null;
  const tell = (line: number, error: unknown) => {
    if (!(error instanceof UnusableLine)) throw error;
    parsed.problems.push({ line, reason: error.message });
  };
  const close = () => {
    if (!open?.rule) return;
    try {
      takeRule(open.rule, index);
      parsed.rules.push(open.rule);
    } catch (error) {
      tell(open.at, error);
    }
  };
  for (const line of ruleLines(text)) {
    if (isPastReading(parsed.problems, line.number)) break;
    try {
      if (isPath(line)) {
        close();
        open = { rule: null, at: line.number };
        open.rule = openRule(line, parsed.rules.length);
      } else if (!open) throw new UnusableLine('it stands below no path.');
      else open.rule?.headers.push(readHeader(line.text));
    } catch (error) {
      tell(line.number, error);
    }
  }
  close();
  return { rules: parsed.rules, problems: parsed.problems.toSorted((a, b) => a.line - b.line) };
}

/** Some files leave out the indentation, so what is surely a header is one without it too. */
function isPath({ text, isIndented }: RuleLine): boolean {
  return text.startsWith('/') || (!isIndented && (/^https?:\/\//.test(text) || !text.includes(':')));
}

function openRule({ text }: RuleLine, count: number): HeaderRule {
  if (count >= MAX_RULES) throw new UnusableLine(`only the first ${MAX_RULES} paths are used.`);
  return { path: readPattern(text), headers: [] };
}

function takeRule({ path, headers }: HeaderRule, index: PathIndex<null>): void {
  if (headers.length === 0) throw new UnusableLine('no header that can be used stands below it.');
  const refusal = index.add(compilePathPattern(path), null, weightOfHeaders(headers));
  if (refusal === 'crowd') {
    throw new UnusableLine(
      'together with what stands above, one address would get too many headers, or too long ones: leave some out.',
    );
  }
  assertTaken(refusal);
}

function readHeader(text: string): [name: string, value: string] {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0)).trim();
  const value = text.slice(colon + 1).trim();
  if (colon < 0) throw new UnusableLine('it is no header. Write: Name: value.');
  if (!TOKEN.test(name)) throw new UnusableLine(`"${name}" cannot be the name of a header.`);
  if (RESERVED.has(name.toLowerCase())) throw new UnusableLine(`${name} is set by the platform alone.`);
  if (value === '') throw new UnusableLine(`${name} has no value.`);
  if (value.length > MAX_VALUE_LENGTH) throw new UnusableLine(`${name} is longer than ${MAX_VALUE_LENGTH} characters.`);
  // Beyond ASCII a value means something else to every reader.
  if (hasControls(value.replaceAll('\t', ' ')) || !/^[\t\x20-\x7e]*$/.test(value)) {
    throw new UnusableLine(`the value of ${name} holds characters that a header cannot carry. Encode them.`);
  }
  return [name, value];
}
