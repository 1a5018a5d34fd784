import { mkdtempSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describePlan, planChaos } from './plan.ts';
import { runCommand } from './run-command.ts';
import { runChaos } from './run.ts';

const usage = 'Say for example: npm run chaos -- --minutes 20 --seed 7 (and --plan to see only what would happen).';

const say = (line: string): void => console.log(line);

await runCommand({ usage, readArguments, run });

async function run({ minutes, seed, isPlanOnly }: ReturnType<typeof readArguments>): Promise<boolean> {
  say(`${minutes} minutes from seed ${seed}\n\n${describePlan(planChaos({ minutes, seed }))}\n`);
  if (isPlanOnly) return true;
  // A supervisor that is killed is followed by another, and each is to end with this process.
  process.setMaxListeners(0);
  const folder = mkdtempSync(join(tmpdir(), `lilac-chaos-${seed}-`));
  const problems = await runChaos({ minutes, seed, folder, say });
  if (problems.length > 0) say(`To see it again: npm run chaos -- --minutes ${minutes} --seed ${seed}`);
  return problems.length === 0;
}

function readArguments(): { minutes: number; seed: number; isPlanOnly: boolean } {
  const options = { minutes: { type: 'string' }, seed: { type: 'string' }, plan: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  const minutes = Number(values.minutes ?? 5);
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes and --seed are numbers.');
  return { minutes, seed, isPlanOnly: values.plan ?? false };
}
