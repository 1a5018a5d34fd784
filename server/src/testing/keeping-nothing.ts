import { readdirSync, readlinkSync } from 'node:fs';
import { heldInMemory } from './collect-all.ts';
import { eventually } from './eventually.ts';

/** Does the work, and waits until no more is open than before. What is closed a little later was closed. */
export async function keepingNothingOpen<Result>(
  work: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const before = countOpen();
  const result = await work();
  let grown = '';
  const isAsBefore = () => (grown = describeGrowth(before)) === '';
  await eventually('all that was opened is closed', isAsBefore, patienceMs).catch((error: unknown) => {
    throw new Error(`It keeps open what it opened: ${grown}.`, { cause: error });
  });
  return result;
}

/** Less than a test has, so that it says what is wrong. */
const PATIENCE_MS = 30_000;

/** Does the work, which comes to so many rounds, and fails where what is left of each would be a leak. */
export async function keepingNothingInMemory(work: () => Promise<{ rounds: number }>): Promise<void> {
  const before = await heldInMemory();
  const { rounds } = await work();
  const grown = (await heldInMemory()) - before;
  const most = Math.max(LEAST_TOLD_BYTES, rounds * LEAK_BYTES);
  if (grown < most) return;
  throw new Error(
    `It keeps in memory what it read: ${inMib(grown)} more after ${rounds} rounds, ${inMib(most)} at most.`,
  );
}

/** Connections to the store that are kept for the next question, and what Node has for itself. */
const MOST_KEPT = { files: 4, others: 20 };
type Kind = keyof typeof MOST_KEPT;

/** Who keeps 10 KiB of every round is found out, once these are more than what is loaded and kept ready meanwhile. */
const LEAK_BYTES = 8 * 1024;
const LEAST_TOLD_BYTES = 48 * 1024 ** 2;

function countOpen(): Record<Kind, number> {
  const open = { files: 0, others: 0 };
  for (const descriptor of readdirSync('/proc/self/fd')) {
    const kind = kindOf(descriptor);
    if (kind) open[kind]++;
  }
  return open;
}

/** Null: it is closed already, as is the one by which the list was read. */
function kindOf(descriptor: string): Kind | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith('/') ? 'files' : 'others';
  } catch {
    return null;
  }
}

function describeGrowth(before: Record<Kind, number>): string {
  const after = countOpen();
  return Object.entries(MOST_KEPT)
    .map(([kind, most]) => ({ kind, grown: after[kind as Kind] - before[kind as Kind], most }))
    .filter(({ grown, most }) => grown > most)
    .map(({ kind, grown, most }) => `${grown} more ${kind}, ${most} at most`)
    .join('; ');
}

const inMib = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
