/** Texts, numbers and the ends of objects, as JSON writes them. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|[{}]/gi;

/** A list as it is typed; null for what is none, such as the engine's own writing of it. */
export function readList(typed: string): unknown[] | null {
  if (!typed.trimStart().startsWith('[')) return null;
  try {
    JSON.parse(typed);
  } catch {
    return null;
  }
  return JSON.parse(withTexts(typed)) as unknown[];
}

/** Numbers and objects become texts, which the engine reads: JavaScript would round numbers that are long. */
function withTexts(json: string): string {
  const parts: string[] = [];
  let doneTo = 0;
  let depth = 0;
  let objectFrom = 0;
  const take = (from: number, to: number) => {
    parts.push(json.slice(doneTo, from), JSON.stringify(json.slice(from, to)));
    doneTo = to;
  };
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    const end = index + token.length;
    if (token === '{') {
      if (depth === 0) objectFrom = index;
      depth += 1;
    } else if (token === '}') {
      depth -= 1;
      if (depth === 0) take(objectFrom, end);
    } else if (depth === 0 && !token.startsWith('"')) take(index, end);
  }
  return parts.join('') + json.slice(doneTo);
}
