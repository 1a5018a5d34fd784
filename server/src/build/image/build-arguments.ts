import { refuse, type Instruction } from './parse-dockerfile.ts';

type Values = Readonly<Record<string, string>>;

/** Known to every build without being asked for, and in no image's history. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'FTP_PROXY', 'NO_PROXY', 'ALL_PROXY'];

/** A value may have others in it, and those others: written in ten lines, it could fill all memory. */
const MAX_VALUE_CHARACTERS = 10_000;

/** What of the variables a build is given: those that its Dockerfile names with ARG, and the machine's proxies. */
export function buildArguments(
  instructions: readonly Instruction[],
  { variables, hostVariables }: { variables: Values; hostVariables: Values },
): Record<string, string> {
  const asked = new Set(instructions.filter(({ keyword }) => keyword === 'ARG').flatMap(namesOf));
  const proxies = Object.entries(hostVariables).filter(([name]) => PROXIES.includes(name.toUpperCase()));
  const own = Object.entries(variables).filter(([name]) => asked.has(name));
  return Object.fromEntries([...proxies, ...own]);
}

/** Values of the arguments that stand before the first FROM: only those can be in one. */
export function globalArguments(instructions: readonly Instruction[], given: Values): Values {
  const first = instructions.findIndex(({ keyword }) => keyword === 'FROM');
  const values: Record<string, string> = {};
  for (const instruction of instructions.slice(0, Math.max(first, 0))) {
    for (const [name, standard] of pairsOf(instruction)) {
      const value = given[name] ?? (standard === null ? undefined : fillIn(standard, values, instruction.line));
      if (value !== undefined) values[name] = value;
    }
  }
  return values;
}

/** `$NAME`, `${NAME}`, `${NAME:-otherwise}` and `${NAME:+instead}`, as the engine fills them in. */
export function fillIn(text: string, values: Values, line: number): string {
  const plain = text.replace(/^(["'])(.*)\1$/, '$2');
  let length = 0;
  const filled = plain.replaceAll(
    /\$(?:(\w+)|\{(\w+)(?::([-+])([^{}$]*))?\})/g,
    (_, bare?: string, name?: string, sign?: string, word = '') => {
      const value = values[bare ?? name ?? ''] ?? '';
      const put = sign === '-' ? value || String(word) : sign === '+' && value !== '' ? String(word) : value;
      length += put.length;
      if (length > MAX_VALUE_CHARACTERS) throw refuse(line, 'Its value is too long. Make it shorter.');
      return put;
    },
  );
  if (/[$"'\\\s]/.test(filled)) throw refuse(line, 'Its value cannot be told before the build. Write it out.');
  return filled;
}

const namesOf = (instruction: Instruction): string[] => pairsOf(instruction).map(([name]) => name);

function pairsOf({ rest }: Pick<Instruction, 'rest'>): [name: string, standard: string | null][] {
  const words = rest.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => {
    const at = word.indexOf('=');
    return at === -1 ? [word, null] : [word.slice(0, at), word.slice(at + 1)];
  });
}
