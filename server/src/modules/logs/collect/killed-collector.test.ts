import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { start, type ChildProcess } from '../../../lib/exec.ts';
import type { NumberedEntry } from '../../../logs/log-entry.ts';
import { createLogWorld } from '../../../logs/testing/log-world.ts';
import { eventually } from '../../../testing/eventually.ts';
import { openOutputHost } from './testing/output-host.ts';

function run(program: string, ...words: string[]): ChildProcess {
  const argv = [process.execPath, join(import.meta.dirname, 'testing', `${program}.ts`), ...words] as const;
  return start(argv, { env: { PATH: '/usr/bin:/bin' }, stdio: ['ignore', 'pipe', 'inherit'] });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const KILLS = 4;

const MARK = /^([\d,]+) lines? w\w+ dropped/;

/** A program writes the same numbers into both streams; who collects them is killed again and again. */
async function collectKilled(...options: string[]): Promise<{ entries: NumberedEntry[]; written: number }> {
  await using world = await createLogWorld();
  using host = openOutputHost();
  const folder = host.begin('ins_1', world.environmentId);
  const writer = run('writing-program', join(folder, 'stdout'), join(folder, 'stderr'));
  const collect = async (...more: string[]) => {
    const child = run('collecting-program', '--url', world.store.url, '--root', host.root, ...options, ...more);
    await once(child.stdout!, 'data');
    return child;
  };
  for (let count = 0; count < KILLS; count++) {
    // At any moment, and by themselves where it would hurt most: before, within and right after a transaction.
    const collecting = await collect('--crash');
    await Promise.race([once(collecting, 'exit'), delay(100 + Math.random() * 1000)]);
    await kill(collecting);
  }
  const last = await collect();
  const isDropping = async () => {
    const { rowCount } = await world.store.pool.query('select from log_usage where dropped_lines > 0');
    return rowCount !== 0;
  };
  if (options.length > 0) await eventually('it has caught up, and drops what is too much', isDropping);
  writer.kill('SIGTERM');
  const [written] = (await once(writer.stdout!, 'data')) as [Buffer];
  await once(writer, 'exit');
  host.stop('ins_1');
  await eventually('all is stored', async () => (await host.runtime.outputs()).length === 0);
  await kill(last);
  return { entries: await world.readAll(), written: Number(written) };
}

describe('kill -9 of who collects, at any moment', () => {
  it('loses no line that reached the file, stores none twice, and keeps their order', async () => {
    const { entries, written } = await collectKilled();
    expect(entries).toHaveLength(2 * written);
    // Both streams have the same lines: each is the next of one of them.
    const last = [0, 0];
    const outOfPlace = entries.filter(({ message }) => {
      const number = Number.parseInt(message, 10);
      const stream = last.indexOf(number - 1);
      if (stream >= 0) last[stream] = number;
      return stream < 0;
    });
    expect(outOfPlace).toEqual([]);
    expect(last).toEqual([written, written]);
  });

  it('counts what was dropped exactly', async () => {
    const { entries, written } = await collectKilled('--rate', '1');
    const dropped = entries.flatMap(({ message }) => MARK.exec(message)?.[1] ?? []);
    const count = dropped.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0);
    expect(count).toBeGreaterThan(0);
    expect(entries.length - dropped.length + count).toBe(2 * written);
  });
});
