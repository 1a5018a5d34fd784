import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../../config.ts';
import type { Store } from '../../../db/pool.ts';
import type { Leadership } from '../../../jobs/leadership.ts';
import { createBreather } from '../../../lib/breather.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { InstanceOutput, Runtime } from '../../../runtime/runtime.ts';
import { Intakes } from './intakes.ts';
import type { OutputSource } from './output-source.ts';
import { PartReader } from './part-reader.ts';
import { Sources } from './sources.ts';
import { storeIntakes } from './store-intakes.ts';

export interface CollectorDeps {
  store: Pick<Store, 'db'>;
  config: Pick<Config, 'logCaps'>;
  runtime: Pick<Runtime, 'outputs' | 'readOutput' | 'releaseOutput' | 'forgetOutput'>;
  clock: Clock;
  log: Log;
  /**
   * Where other hosts could collect the same: what one that leads no more has read is not stored. Left out: none can.
   */
  leadership?: Pick<Leadership, 'hold'>;
}

/** Reads what the instances of this host write, and stores it as the lines of their environments' logs. */
export interface Collector {
  start(): void;
  /** Stores what there is, as far as that can be done soon. Instances may write on, for the next one to read. */
  stop(): Promise<void>;
}

/** Of each stream at a time: one that writes much does not keep others waiting. */
const READ_BYTES = 1024 ** 2;
/** So much text is not gathered, but stored at once. */
const STORE_AT_BYTES = 4 * READ_BYTES;
/** While there is more to read than was read. */
const HURRY_MS = 10;
const BUSY_MS = 50;
const IDLE_MS = 150;
const RETRY_MS = 100;
const LONGEST_RETRY_MS = 2000;
const LAST_WORDS_MS = 800;

/** What a round found. */
type Finding = 'nothing' | 'something' | 'more';

export function createCollector(deps: CollectorDeps): Collector {
  const { runtime, clock, log } = deps;
  const reader = new PartReader(deps);
  const stopping = new AbortController();
  let sources = new Sources(deps);
  let intakes = new Intakes(deps);
  let following: Promise<void> = Promise.resolve();
  let pauseMs = BUSY_MS;
  let retryMs = 0;
  let firstIndex = 0;
  const nowMs = () => clock.now().getTime();

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const beganMs = performance.now();
      const pause = await attempt();
      const restMs = Math.max(1, pause - (performance.now() - beganMs));
      await delay(restMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Whatever went wrong, the store knows how far it has come: as after a restart, it goes on from there. */
  async function attempt(): Promise<number> {
    try {
      const finding = await collect();
      if (retryMs > 0) log.info('output of instances is collected again');
      retryMs = 0;
      return pauseAfter(finding);
    } catch (error) {
      if (retryMs === 0) log.warn({ err: error }, 'output of instances cannot be collected; it is tried again');
      sources = new Sources(deps);
      intakes = new Intakes(deps);
      retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2 || RETRY_MS);
      return retryMs;
    }
  }

  function pauseAfter(finding: Finding): number {
    pauseMs = finding === 'nothing' ? Math.min(IDLE_MS, pauseMs * 1.25) : BUSY_MS;
    return finding === 'more' ? HURRY_MS : pauseMs;
  }

  /** Collects one round: a part of each output. */
  async function collect(isLast = false): Promise<Finding> {
    const outputs = await runtime.outputs();
    await sources.follow(outputs);
    await intakes.learn(outputs);
    let finding: Finding = 'nothing';
    const breathe = createBreather();
    reader.beginRound(outputs);
    for (const output of turned(outputs)) {
      const found = await readPart(output);
      await breathe();
      if (found === 'nothing') continue;
      if (finding !== 'more') finding = found;
      if (intakes.bytes >= STORE_AT_BYTES) await storeIntakes(deps, { intakes, sources });
    }
    reader.endRound();
    for (const environmentId of intakes.mark(isLast)) sources.leaveBehind(environmentId);
    await storeIntakes(deps, { intakes, sources });
    await sources.forgetDrained(outputs);
    intakes.forgetExcept(new Set(outputs.map(({ environmentId }) => environmentId)));
    return finding;
  }

  /** Those that have ended first: their last lines stand before those of who takes their place. Else in turns. */
  function turned(outputs: readonly InstanceOutput[]): InstanceOutput[] {
    firstIndex = outputs.length === 0 ? 0 : (firstIndex + 1) % outputs.length;
    const all = [...outputs.slice(firstIndex), ...outputs.slice(0, firstIndex)];
    return [...all.filter(({ isOver }) => isOver), ...all.filter(({ isOver }) => !isOver)];
  }

  async function readPart(output: InstanceOutput): Promise<Finding> {
    const { instanceId, environmentId } = output;
    const source = sources.find(instanceId);
    const read = source && (await reader.read(output, source.readTo, READ_BYTES));
    if (!read) return 'nothing';
    const { part, isOver } = read;
    const bytes = part.stdout.length + part.stderr.length;
    source.look(part);
    if (bytes === 0 && part.lostBytes === 0 && !isOver) return 'nothing';
    take(source, environmentId, { part, isOver });
    if (bytes === 0) return 'nothing';
    if (Math.max(part.stdout.length, part.stderr.length) === READ_BYTES) return 'more';
    // That nothing follows is found out at once, and with it that the last line is one, though it does not end.
    if (isOver) await readPart(output);
    return 'something';
  }

  function take(
    source: OutputSource,
    environmentId: string,
    { part, isOver }: { part: Parameters<OutputSource['push']>[0]; isOver: boolean },
  ): void {
    const intake = intakes.of(environmentId);
    if (intake.mark(nowMs())) sources.leaveBehind(environmentId);
    source.push(part, intake, { isOver, nowMs: nowMs() });
  }

  /** What there is now; and once more, since a line without its end is known for one when nothing follows. */
  async function drain(): Promise<void> {
    const deadline = performance.now() + LAST_WORDS_MS;
    while ((await collect(true)) === 'more' && performance.now() < deadline);
    await collect(true);
  }

  return {
    start() {
      following = follow();
    },
    async stop() {
      stopping.abort();
      const work = following.then(drain);
      await Promise.race([work, delay(LAST_WORDS_MS, undefined, { ref: false })]).catch((error: unknown) => {
        log.warn({ err: error }, 'the last output of instances is left to the next worker');
      });
    },
  };
}
