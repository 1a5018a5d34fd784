import type { Config } from '../../config.ts';
import type { Db } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { addProcessVitals } from './process-vitals.ts';
import { vitals as vitalsOfThisProcess, type Vitals } from '../../lib/vitals.ts';
import { hostIdOf } from '../../store/host-id.ts';
import { writeVitals } from './vitals-store.ts';

export interface VitalsKeeperDeps {
  db: Db;
  log: Log;
  config: Pick<Config, 'home' | 'metricsToken'>;
  role: string;
  /** Which of several processes of the role. */
  place: number;
  vitals?: Vitals;
  everyMs?: number;
}

const EVERY_MS = 10_000;

/**
 * Writes down what this process counts, again and again, where the operator wants to see it. Returns what
 * ends it; its last numbers are forgotten by themselves.
 */
export function keepVitals(deps: VitalsKeeperDeps): () => void {
  const { db, log, config, role, place, vitals = vitalsOfThisProcess, everyMs = EVERY_MS } = deps;
  if (config.metricsToken === null) return () => {};
  addProcessVitals(vitals);
  const process = { machine: hostIdOf(config), home: config.home, role, place };
  let isWriting = false;
  const write = async () => {
    if (isWriting) return;
    isWriting = true;
    // A store that is away is told of by whoever needs it; the numbers go on growing meanwhile.
    await writeVitals(db, process, vitals.snapshot()).catch((error: unknown) =>
      log.debug({ err: error }, 'what this process counts was not written'),
    );
    isWriting = false;
  };
  const timer = setInterval(() => void write(), everyMs).unref();
  void write();
  return () => clearInterval(timer);
}
