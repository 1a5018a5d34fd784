/**
 * A table of ten million rows (`--rows` for another number) dumped, downloaded, imported into another database and
 * compared; of both engines, or `--engine mysql`. Tells how long it took, and how much memory the worker had at most.
 */
import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { openDatabaseWorld } from '../e2e/database-world.ts';
import { connectTo, databaseTypes } from '../e2e/databases.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { report } from './measuring/report.ts';

const { values } = parseArgs({
  options: { rows: { type: 'string' }, engine: { type: 'string' }, rounds: { type: 'string' } },
});
/** A round is a million rows. */
const rows = Number(values.rows ?? Math.min(10, Number(values.rounds ?? 10)) * 1_000_000);
const scratch = scratchFolder('transfer');
await using world = await openDatabaseWorld({ LILAC_LOG_LEVEL: 'warn' });
const { platform, databases, deployer } = world;
for (const databaseType of databaseTypes.filter((type) => values.engine === undefined || type === values.engine)) {
  const settings = { databaseType, tier: 'db-custom-2-4096', storageGb: 20 };
  const source = await databases.create('Source', settings);
  const target = await databases.create('Target', settings);
  await Promise.all([databases.settled(source), databases.settled(target)]);
  await fill(await databases.url(source), databaseType);
  const peak = watchMemory(() => platform.pids().worker ?? []);
  const path = join(scratch, `${databaseType}.sql.gz`);
  const dumped = await timed(async () => {
    const body = { targetOrganisationId: deployer.targetOrganisationId, databaseId: source };
    const { downloadUrl } = await deployer.client.call('databases.dump', { body });
    const answer = await fetch(downloadUrl);
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(path));
  });
  const imported = await timed(() => databases.importFile(target, path));
  const [one, other] = [await sum(await databases.url(source)), await sum(await databases.url(target))];
  const isEqual = JSON.stringify(one) === JSON.stringify(other);
  console.log(`${databaseType}: checksums ${String(one)} and ${String(other)}; worker at most ${peak().toFixed(0)} MB`);
  const name = `${databaseType}, ${rows} rows`;
  report({ name: `${name} dumped and downloaded`, unit: 's', ours: dumped });
  report({ name: `${name} imported`, unit: 's', ours: imported });
  report({
    name: `${name}, tables that differ afterwards`,
    unit: '',
    ours: isEqual ? 0 : 1,
    bar: { of: 'ours', atMost: 0 },
  });
  await Promise.all([databases.remove(source), databases.remove(target)]);
  rmSync(path);
}

async function fill(url: string, databaseType: string): Promise<void> {
  const connection = await connectTo(url);
  await connection.query('create table many (id bigint primary key, text varchar(60), number double precision)');
  await connection.query(
    databaseType === 'mysql'
      ? `insert into many select seq, concat('Zeile ', seq, ' ✓ ', md5(seq)), seq / 7 from seq_1_to_${rows}`
      : `insert into many select n, 'Zeile ' || n || ' ✓ ' || md5(n::text), n / 7.0 from generate_series(1, ${rows}) n`,
  );
  await connection.close();
}

/** Of every row, whatever their order. */
async function sum(url: string): Promise<unknown[]> {
  const connection = await connectTo(url);
  const [row] = await connection.query(
    url.startsWith('mysql:')
      ? "select count(*), cast(sum(crc32(concat_ws('|', id, text, number))) as char) from many"
      : "select count(*)::int, sum(hashtextextended(concat_ws('|', id, text, number), 0)::numeric)::text from many",
  );
  await connection.close();
  return row!;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

function watchMemory(pids: () => number[]): () => number {
  let most = 0;
  const look = () => {
    try {
      for (const pid of pids()) {
        most = Math.max(most, Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);
      }
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, 200).unref();
  return () => {
    clearInterval(timer);
    return most;
  };
}
