import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Course } from './flatness.ts';
import { runSoak } from './run.ts';

const USAGE =
  'Say for example: npm run soak -- --minutes 120 (and --plot docs/images/soak.svg to keep the plot there).';
const EVERY_MS = 15_000;
const SAMPLE_EVERY_MS = 30_000;

// What still waits for an answer of a platform that is gone is not waited for.
process.exit(await main());

async function main(): Promise<number> {
  const wanted = readArguments();
  if (typeof wanted === 'string') {
    console.error(`lilac: ${wanted} ${USAGE}`);
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'lilac-soak-'));
  const { courses, troubles } = await runSoak({
    minutes: wanted.minutes,
    everyMs: EVERY_MS,
    sampleEveryMs: SAMPLE_EVERY_MS,
    folder,
    say: (line) => console.log(line),
  });
  if (wanted.plot) copyFileSync(join(folder, 'soak.svg'), wanted.plot);
  console.log(`\n${courses.map(describeCourse).join('\n')}`);
  for (const trouble of troubles) console.log(`TROUBLE: ${trouble}`);
  const isFine = troubles.length === 0 && courses.every(({ isFlat }) => isFlat !== false);
  console.log(isFine ? 'Everything is flat, and every visit was answered.' : 'Not everything is flat and answered.');
  return isFine ? 0 : 1;
}

function describeCourse({ name, unit, early, late, isFlat }: Course): string {
  const verdict = isFlat === null ? 'no bar' : isFlat ? 'flat' : 'GROWS';
  return `${name.padEnd(24)} ${early.toFixed(1)} -> ${late.toFixed(1)} ${unit}`.padEnd(56) + verdict;
}

/** A sentence where they cannot be understood. */
function readArguments(): { minutes: number; plot?: string } | string {
  try {
    const { values } = parseArgs({ options: { minutes: { type: 'string' }, plot: { type: 'string' } } });
    const minutes = Number(values.minutes ?? 120);
    if (!(minutes >= 4)) return '--minutes is a number, at least 4: eight looks are the fewest that tell anything.';
    return { minutes, plot: values.plot };
  } catch (error) {
    return (error as Error).message;
  }
}
