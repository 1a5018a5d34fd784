import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../chaos/run-command.ts';
import { describeCourse } from './describe-course.ts';
import { runSoak } from './run.ts';

const usage =
  'Say for example: npm run soak -- --minutes 120 (and --plot docs/images/soak.svg to keep the plot there).';
const EVERY_MS = 15_000;
const SAMPLE_EVERY_MS = 30_000;

await runCommand({ usage, readArguments, run });

async function run(wanted: ReturnType<typeof readArguments>): Promise<boolean> {
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
  return isFine;
}

function readArguments(): { minutes: number; plot?: string } {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, plot: { type: 'string' } } });
  const minutes = Number(values.minutes ?? 120);
  if (!(minutes >= 4))
    throw new Error('--minutes is a number, at least 4: eight looks are the fewest that tell anything.');
  return { minutes, plot: values.plot };
}
