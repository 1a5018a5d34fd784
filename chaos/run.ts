import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeTally } from '../e2e/load.ts';
import { databaseTypes, type DatabaseType } from '../contract/src/states.ts';
import { openEvents } from './events.ts';
import type { Problem } from './invariants/problem.ts';
import { judge } from './judge.ts';
import { planChaos, type PlanOptions } from './plan.ts';
import { openPlatform } from './platform-handle.ts';
import { play } from './play.ts';
import { putAway } from './put-away.ts';
import { openScene, type Scene } from './scene.ts';
import { chaosSettings } from './settings.ts';

export interface ChaosOptions extends PlanOptions {
  /** Takes the plan, what happened, what the platform said, and its LILAC_HOME; removed where all is well. */
  folder: string;
  /** Of which databases there are. */
  types?: readonly DatabaseType[];
  say: (line: string) => void;
}

/** Uses a platform, disturbs it, and tells which of the promises did not hold; none where all did. */
export async function runChaos({ folder, types = databaseTypes, say, ...plan }: ChaosOptions): Promise<Problem[]> {
  const steps = planChaos(plan);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...plan, steps }, null, 2));
  const events = openEvents(join(folder, 'events.jsonl'), say);
  const handle = await openPlatform({ home: join(folder, 'home'), env: chaosSettings });
  let problems: Problem[] | undefined;
  let scene: Scene | undefined;
  try {
    scene = await openScene({ handle, events, databaseTypes: types });
    problems = [...(await play(scene, steps)), ...(await judge(scene))];
    tell(scene, problems, say);
    return problems;
  } finally {
    await Promise.all(
      [...(scene?.loads ?? []), ...(scene?.kept ?? []).map(({ writes }) => writes)].map((each) => each.stop()),
    );
    writeFileSync(join(folder, 'platform.log'), handle.output());
    if (problems?.length === 0) {
      await handle.current()[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    } else {
      await putAway(handle);
      say(`\nKept: ${folder} (plan.json, events.jsonl, platform.log, home)`);
    }
  }
}

function tell(
  { loads, kept, outages, events }: Scene,
  problems: readonly Problem[],
  say: (line: string) => void,
): void {
  say('');
  for (const { tally } of loads) say(describeTally(tally));
  for (const { type, writes } of kept) say(`${writes.acknowledged.length} rows were acknowledged by ${type}`);
  say(`${outages.count()} requests failed, ${outages.unexplained().length} of them without a fault that explains it`);
  for (const { invariant, about, what } of problems) {
    say(`\nBROKEN: ${invariant}\n  ${about}: ${what}\n  what happened to it:`);
    for (const line of events.about(about)) say(`    ${line}`);
  }
  if (problems.length === 0) say('Every promise was kept.');
}
