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
const TRIES = 3;
/** Nothing else that a machine does makes it so slow. */
const HOPELESS = 4;

/** Rejects, and says at which length, where the time that it takes grows faster than the text does. */
export async function growsLinearly({ largest, make, work }: Growing): Promise<true> {
  let before = { length: 0, ms: LEAST_MS };
  for (const length of lengthsUpTo(largest)) {
    const text = make(length);
    const most = Math.max(LEAST_MS, before.ms) * MOST_GROWTH;
    // What else the machine does makes something slower, and never faster.
    let ms = Infinity;
    for (let tries = 0; tries < TRIES && ms > most && !(tries > 0 && ms > HOPELESS * most); tries++)
      ms = Math.min(ms, await timeOf(() => work(text)));
    if (ms > most) {
      throw new Error(
        `It takes ${ms.toFixed(0)} ms of ${length} characters, and took ${before.ms.toFixed(0)} ms of ${before.length}: ` +
          JSON.stringify(text.slice(0, 60)),
      );
    }
    before = { length, ms };
  }
  return true;
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
