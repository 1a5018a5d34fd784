import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { start, type ChildProcess } from '../../lib/exec.ts';
import { findCgroupFolders } from '../../sandbox/cgroups/find-folders.ts';
import { eventually } from '../../testing/eventually.ts';
import { readStatus } from '../held/instance-exit.ts';
import { openInstanceBench } from './testing/instance-bench.ts';

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'lilac-killed-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function startWorker(script: string, ...words: string[]): ChildProcess & { firstLine: Promise<string> } {
  const argv = [process.execPath, join(import.meta.dirname, 'testing', `${script}.ts`), ...words] as const;
  const child = start(argv, {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const firstLine = once(child.stdout!, 'data').then(([data]) => String(data).split('\n')[0] ?? '');
  return Object.assign(child, { firstLine });
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** A number nobody else sleeps for, to find the processes of one test by. */
const newMarker = () => String(100_000 + Math.floor(Math.random() * 900_000));
function processesOf(marker: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false;
    }
  });
}

const groupsWith = (text: string) =>
  findCgroupFolders().flatMap(({ path }) => readdirSync(path).filter((name) => name.includes(text)));

describe('kill -9 of the worker', () => {
  it('leaves its instances running, and the next one has them: address, output, end', async () => {
    const home = makeHome();
    const worker = startWorker('killed-starter', home, 'echo up; while [ ! -e /tmp/go ]; do sleep 0.05; done; exit 6');
    const id = await worker.firstLine;
    await kill(worker);
    await using bench = await openInstanceBench({ home });
    expect((await bench.runtime.list()).map((each) => [each.id, each.exit])).toEqual([[id, null]]);
    await bench.says(id, 'up');
    writeFileSync(`/proc/${readStatus(join(home, 'instances', id)).firstPid}/root/tmp/go`, '');
    await eventually('its end is told', () => bench.exits.length > 0);
    expect(bench.exits).toEqual([{ instanceId: id, environmentId: 'env_1', exitCode: 6, isOutOfMemory: false }]);
  });

  it('loses nothing of what instances wrote: it is there while they run, and after they were stopped', async () => {
    const home = makeHome();
    const worker = startWorker('killed-starter', home, 'seq 1 1000; sleep 1000');
    const id = await worker.firstLine;
    await kill(worker);
    const bench = await openInstanceBench({ home });
    await bench.says(id, '1000');
    await bench.runtime.stop(id, { graceMs: 0 });
    const written = Array.from({ length: 1000 }, (_, index) => `${index + 1}\n`).join('');
    await using next = await openInstanceBench({ home });
    await bench.runtime.close();
    const [output] = await next.runtime.outputs();
    expect(output).toMatchObject({ instanceId: id, isOver: true, isStopped: true });
    const { stdout } = await next.runtime.readOutput(id, { stdout: 0, stderr: 0 }, 100_000);
    expect(stdout.toString()).toBe(written);
  });

  it('at any moment of a start leaves an instance that can be found, or nothing after the next has opened', async () => {
    const home = makeHome();
    for (const waitMs of [0, 10, 25, 45]) {
      const marker = newMarker();
      const worker = startWorker('killed-starter', home, `sleep ${marker}`, '12');
      await worker.firstLine;
      await delay(waitMs);
      await kill(worker);
      await using bench = await openInstanceBench({ home });
      const found = await bench.runtime.list();
      expect(found.length).toBeGreaterThan(0);
      await eventually('all that runs is listed', () => processesOf(`sleep\0${marker}`).length <= found.length);
      for (const { id } of found) await bench.runtime.stop(id, { graceMs: 0 });
      expect(processesOf(marker)).toEqual([]);
      expect(readdirSync(join(home, 'instances')).filter((name) => !/^\.(stage|etc)/.test(name))).toEqual([]);
      expect(readdirSync(join(home, 'ports'))).toEqual([]);
      expect(groupsWith(`b${worker.pid}_`)).toEqual([]);
    }
  });

  it('in the middle of a stop: the next one finishes it, and tells nobody', async () => {
    const home = makeHome();
    const marker = newMarker();
    const starter = startWorker('killed-starter', home, `trap '' TERM; echo up; while :; do sleep ${marker}; done`);
    const id = await starter.firstLine;
    await kill(starter);
    const stopper = startWorker('killed-stopper', home);
    expect(await stopper.firstLine).toBe(id);
    await eventually('it is noted', () => readdirSync(join(home, 'instances', id)).includes('stopping'));
    await kill(stopper);
    await using bench = await openInstanceBench({ home });
    expect(await bench.runtime.list()).toEqual([]);
    expect(processesOf(marker)).toEqual([]);
    expect(await bench.subject.remains(id)).toEqual([]);
    expect(bench.exits).toEqual([]);
  });
});
