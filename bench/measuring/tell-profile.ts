/**
 * Where a process spent its processor time, by a profile that `--profile` left: shares of all that was not idle, by
 * part of the program and by function, each without what it called.
 * Arguments: <profile> [how many of each] [seconds at the start that are left out].
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Profile {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  timeDeltas: number[];
}

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
}

const [file = '', most = '25', startSeconds = '0'] = process.argv.slice(2);
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
const byPart = new Map<string, number>();
const byFunction = new Map<string, number>();
let [busy, elapsed] = [0, 0];
for (const [index, id] of samples.entries()) {
  const frame = frames.get(id)!;
  const micros = timeDeltas[index] ?? 0;
  elapsed += micros;
  if (elapsed < Number(startSeconds) * 1e6) continue;
  if (frame.functionName === '(idle)' || frame.functionName === '(program)') continue;
  busy += micros;
  add(byPart, partOf(frame), micros);
  add(byFunction, `${frame.functionName || '(nameless)'} ${placeOf(frame)}`, micros);
}
console.log(`${(busy / 1e6).toFixed(2)} s\n`);
for (const counted of [byPart, byFunction]) {
  const largest = [...counted].toSorted((one, other) => other[1] - one[1]).slice(0, Number(most));
  for (const [name, micros] of largest) console.log(`${((100 * micros) / busy).toFixed(1).padStart(5)} %  ${name}`);
  console.log();
}

function add(counted: Map<string, number>, name: string, micros: number): void {
  counted.set(name, (counted.get(name) ?? 0) + micros);
}

/** The package, Node's own module, or the folder below the server's. */
function partOf({ url, functionName }: CallFrame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native code';
  if (url.startsWith('node:')) return url.replace('node:internal/', 'node:').split('/', 1)[0]!;
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(url)?.[1];
  return inPackage ?? /server\/src\/((?:modules\/)?[^/]+)/.exec(url)?.[1] ?? 'the rest';
}

function placeOf({ url, lineNumber }: CallFrame): string {
  const path = url.startsWith('file:') ? fileURLToPath(url).replace(`${process.cwd()}/`, '') : url;
  return path === '' ? '' : `${path}:${lineNumber + 1}`;
}
