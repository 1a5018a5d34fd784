/**
 * The words that name the tests of a file: what `it` and `describe` are called with, and the texts of tables that
 * titles are made of. What stands in comments, or is merely said to the program that is tried, names nothing.
 */
export function titlesIn(source: string): string[] {
  const { code, texts } = readTexts(source);
  return texts.filter(({ at }) => namesTest(code.slice(0, at)) || isInTable(code, at)).map(({ text }) => text);
}

interface Text {
  text: string;
  /** Where it stood in the code, of which nothing is left of it but its quotes. */
  at: number;
}

/** Comments, patterns and texts: whatever may hold what looks like another of them. */
const PARTS = new RegExp(
  [
    String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)`,
    String.raw`(?<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|${'`'}(?:[^${'`'}\\]|\\[\s\S])*${'`'})`,
    String.raw`(?<pattern>(?<=[(,=:[!&|?{};>]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*)`,
  ].join('|'),
  'g',
);

function readTexts(source: string): { code: string; texts: Text[] } {
  const texts: Text[] = [];
  let code = '';
  let last = 0;
  for (const match of source.matchAll(PARTS)) {
    code += source.slice(last, match.index);
    last = match.index + match[0].length;
    if (match.groups!['text'] === undefined) continue;
    texts.push({ text: match[0].slice(1, -1), at: code.length });
    code += '""';
  }
  return { code: code + source.slice(last), texts };
}

/** `it(` or `describe(`; `it.each(…)(` and the like, whatever is between. */
function namesTest(before: string): boolean {
  const callee = /^([\s\S]*)\(\s*$/.exec(before)?.[1]?.trimEnd();
  if (callee === undefined) return false;
  return /\b(?:it|test|describe\w*)(?:\.\w+)*(?:<[^;\n]*>)?$/.test(
    callee.endsWith(')') ? upToOpening(callee.slice(0, -1)).slice(0, -1) : callee,
  );
}

/**
 * `title: '…'`, which a title then shows as `$title`, and the first of a row in the list of an `each`, shown as `%s`.
 */
function isInTable(code: string, at: number): boolean {
  const before = code.slice(0, at).trimEnd();
  if (/\btitle:$/.test(before)) return true;
  return before.endsWith('[') && /\.each(?:<[^;\n]*>)?\(\s*\[$/.test(upToOpening(before.slice(0, -1)));
}

/** As far as the bracket that everything at its end is in, with that bracket. */
function upToOpening(before: string): string {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    if (')]}'.includes(before[at]!)) depth++;
    if ('([{'.includes(before[at]!) && --depth < 0) return before.slice(0, at + 1);
  }
  return '';
}
