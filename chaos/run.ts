import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseTypes, type DatabaseType } from '../contract/src/states.ts';
import { openEvents } from './events.ts';
import type { Problem } from './invariants/problem.ts';
import { judge } from './judge.ts';
import { planChaos, type PlanOptions } from './plan.ts';
import { openPlatform } from './platform-handle.ts';
import { performIn, play } from './play.ts';
import { putAway } from './put-away.ts';
import { openScene, type Scene } from './scene.ts';
import { chaosSettings } from './settings.ts';
import { tellOutcome } from './tell-outcome.ts';

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
  const temporary = makeTemporary(folder);
  const env = { ...chaosSettings, TMPDIR: temporary };
  const handle = await openPlatform({ home: join(folder, 'home'), env });
  let problems: Problem[] | undefined;
  let scene: Scene | undefined;
  try {
    scene = await openScene({ handle, events, databaseTypes: types, temporary });
    const startedAt = performance.now();
    const { happenings, ...played } = await play(scene, steps, performIn(scene));
    const span = { startedAt, endedAt: performance.now() };
    problems = [...played.problems, ...happenings.problems(), ...(await judge(scene))];
    tellOutcome(scene, { happenings, span, problems }, say);
    return problems;
  } finally {
    if (scene) await stopAll(scene);
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

/** The platform has one of its own: what is left in it is nobody else's. Open to all, as it is everywhere. */
function makeTemporary(folder: string): string {
  const path = join(folder, 'tmp');
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o1777);
  return path;
}

async function stopAll({ watch, loads, kept }: Scene): Promise<void> {
  await Promise.all([watch, ...loads, ...kept.map(({ writes }) => writes)].map((each) => each.stop()));
}
