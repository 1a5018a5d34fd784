import { setTimeout as delay } from 'node:timers/promises';
import { mainProcesses } from '../../e2e/database-servers.ts';
import { connectTo } from '../../e2e/databases.ts';
import { until } from '../../e2e/platform.ts';
import { choose } from '../actions/act.ts';
import { attempt } from '../attempt.ts';
import { lookAfter, lookBefore } from '../look.ts';
import type { OutageSpec } from '../outages.ts';
import type { Step } from '../plan.ts';
import { readStorage } from '../read-settings.ts';
import type { KeptDatabase, Scene } from '../scene.ts';
import { BACK_WITHIN_MS, during, foundNobody, signal, struck, type Strike } from './strike.ts';

/** Requests have nothing to do with it; the rows are looked at in the end. */
const spec = (what: string): OutageSpec => ({ what, harms: 'databases', disturbs: {} });

/** Of any database, also one that is just being made. */
export const killDatabase: Strike = (scene, step) =>
  during(scene, spec('kill-database'), async () => {
    const victim = choose(mainProcesses(scene.handle.home), step);
    if (!victim || !signal(victim.pid, 'SIGKILL')) return foundNobody(scene, 'kill-database');
    scene.events.tell('kill-database', `killed ${victim.pid} of ${victim.serverId}`);
    return struck(async () => {
      for (const kept of scene.kept) await untilWritable(kept);
    });
  });

/** Its storage is used up, refuses, and is made larger. */
export const fillDatabase: Strike = (scene, step) =>
  during(scene, spec('fill-database'), async () => {
    const kept = scene.kept.find(({ type }) => type === 'postgresql');
    if (!kept) return foundNobody(scene, 'fill-database', 'there is none of that type');
    scene.events.tell('fill-database', `filling ${kept.id}`);
    const refusal = await fill(kept);
    scene.events.tell('fill-database', `it refuses: ${refusal}`);
    await enlarge(scene, kept, step);
    return struck(() => untilWritable(kept));
  });

const PROBE = ['create table if not exists probes (id int)', 'insert into probes values (0)'];
const ROWS = 'insert into heap select n, repeat(md5(n::text), 60) from generate_series(1, 20000) n';
/** Each takes about 40 MB, and a database has a gigabyte or a few. */
const MOST_ROUNDS = 400;
const FILL_WITHIN_MS = 300_000;
const PAUSE_MS = 100;

/** Until it says that it is full, which it must: what is away meanwhile comes back. */
async function fill({ id, url }: KeptDatabase): Promise<string> {
  const deadline = performance.now() + FILL_WITHIN_MS;
  let written = 0;
  while (written < MOST_ROUNDS && performance.now() < deadline) {
    const complaint = await statement(url, [
      'create table if not exists heap (id int, filler text)',
      'alter table heap alter filler set storage external',
      ROWS,
    ]);
    if (/space|full|read-only/i.test(complaint)) return complaint;
    if (complaint === '') written++;
    else await delay(PAUSE_MS);
  }
  throw new Error(`${id} took ${written} times 40 MB, and never said that it is full`);
}

/** What it complains of; nothing where all is well. */
async function statement(url: string, texts: readonly string[]): Promise<string> {
  try {
    const connection = await connectTo(url);
    try {
      for (const text of texts) await connection.query(text);
      return '';
    } finally {
      await connection.close().catch(() => {});
    }
  } catch (error) {
    return (error as Error).message || 'it cannot be reached';
  }
}

/** Asked until it is answered: everybody waits for it. */
export async function enlarge(scene: Scene, { id }: Pick<KeptDatabase, 'id'>, step: Step): Promise<void> {
  const { client, targetOrganisationId } = scene.deployer;
  const changing = { key: `storage ${id}`, about: id, read: () => readStorage(scene, id) };
  await lookBefore(scene, step, changing);
  await until(
    'the database is made larger',
    async () => {
      const { storage_gb: storageGb } = await scene.databases.get(id).catch(() => ({ storage_gb: 0 }));
      if (storageGb === 0) return false;
      const wanted = storageGb + 1;
      const asked = scene.ledger.ask(`storage ${id}`, String(wanted));
      const options = { about: id, what: `storage of ${wanted} GB`, mayRefuse: [409] };
      const outcome = await attempt(scene, options, () =>
        client.call('databases.update', { body: { targetOrganisationId, databaseId: id, storageGb: wanted } }),
      );
      if (outcome.kind === 'acknowledged') asked.acknowledged();
      if (outcome.kind === 'refused') asked.refused();
      return outcome.kind === 'acknowledged';
    },
    BACK_WITHIN_MS,
  );
  await lookAfter(scene, step, changing);
}

async function untilWritable({ url, type }: KeptDatabase): Promise<void> {
  await until(`the ${type} database takes rows`, async () => (await statement(url, PROBE)) === '', BACK_WITHIN_MS);
}
