import { median } from '../../../bench/measuring/median.ts';

/** What is tried out on texts of any size up to the largest that there can be. */
export interface Growing {
  largest: number;
  /** Anything of about so many characters. */
  make: (length: number) => string;
  work: (text: string) => unknown;
}

/** Less is too little to be compared. */
const LEAST_MS = 30;
/** Of four times as much: what is linear takes four times as long, and what is quadratic sixteen times. */
const MOST_GROWTH = 8;
/** In small steps at first: what doubles with each letter is found before it takes for ever. */
const SMALL = 256;
const LEAST_LENGTH = 8;
/** Nothing else that a machine does makes it so slow. */
const HOPELESS = 4;
const PAIRS = 3;

/** Rejects, and says at which length, where the time that it takes grows faster than the text does. */
export async function growsLinearly({ largest, make, work }: Growing): Promise<true> {
  let before = { length: 0, ms: LEAST_MS };
  for (const length of lengthsUpTo(largest)) {
    const text = make(length);
    let ms = await timeOf(() => work(text));
    if (ms > mostAfter(before.ms)) {
      // What else the machine does makes one look slow or another quick, and hardly in two pairs of three.
      if (ms <= HOPELESS * mostAfter(before.ms)) {
        const smaller = make(before.length);
        [before.ms, ms] = await timesInTurn([() => work(smaller), () => work(text)]);
      }
      if (ms > mostAfter(before.ms)) throw new Error(describe(text, { length, ms }, before));
    }
    before = { length, ms };
  }
  return true;
}

interface Look {
  length: number;
  ms: number;
}

const mostAfter = (ms: number) => Math.max(LEAST_MS, ms) * MOST_GROWTH;

function describe(text: string, { length, ms }: Look, before: Look): string {
  const beginning = JSON.stringify(text.slice(0, 60));
  return `It takes ${ms.toFixed(0)} ms of ${length} characters, and took ${before.ms.toFixed(0)} ms of ${before.length}: ${beginning}`;
}

/** The median of each. */
async function timesInTurn(works: [() => unknown, () => unknown]): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    for (const [place, work] of works.entries()) times[place]!.push(await timeOf(work));
  }
  return [median(times[0]), median(times[1])];
}

/** A text of one and the same over and over. */
export function filled(length: number, pump: string, { before = '', after = '' } = {}): string {
  const times = Math.max(0, Math.floor((length - before.length - after.length) / pump.length));
  return before + pump.repeat(times) + after;
}

function lengthsUpTo(largest: number): number[] {
  const lengths = [largest];
  while (lengths[0]! > LEAST_LENGTH) lengths.unshift(Math.ceil(lengths[0]! / (lengths[0]! > SMALL ? 4 : 1.5)));
  return lengths;
}

/** Of this thread's processor, where it does the work itself. */
async function timeOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
