import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, makeDatabase, OWNER, refuses, specFor, type EngineSubject } from './conformance-subject.ts';
import { findLost, startWriters } from './conformance-writers.ts';
import { EngineRefused } from './engine.ts';
import type { ServerSpec } from './server.ts';

/** How servers come, go on and go. */
export function conformLife(subject: () => EngineSubject): void {
  const made: string[] = [];
  const specOf = async (id: string, changes?: Partial<ServerSpec>) => {
    made.push(id);
    return specFor(subject(), id, changes);
  };
  afterAll(async () => {
    for (const id of made) await subject().engine.destroy(id);
  });
  const rowsAt = async (spec: ServerSpec, text: string) => {
    await using client = await subject().connect({ ...OWNER, port: spec.port });
    return await client.query(text);
  };

  describe('the life of a server', () => {
    let kept: ServerSpec;
    beforeAll(async () => {
      const { engine } = subject();
      kept = await specOf('dbs_life');
      await engine.create(kept);
      expect(engine.isRunning(kept.id)).toBe(false);
      await engine.start(kept);
      await engine.createDatabase(kept, OWNER);
      await rowsAt(kept, 'create table kept (n int)');
      await rowsAt(kept, 'insert into kept values (1), (2)');
    });

    it('runs, and takes its owner in', async () => {
      const { engine } = subject();
      expect(engine.isRunning(kept.id)).toBe(true);
      expect(await engine.list()).toContain(kept.id);
      expect(await engine.probe(kept, 10_000)).toEqual({ isPrimary: true, isWritable: true });
      expect(await rowsAt(kept, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
    });

    it('stays as it is when everything is said again', async () => {
      const { engine } = subject();
      const pid = await subject().mainPid(kept.id);
      await makeDatabase(subject(), kept);
      expect(await subject().mainPid(kept.id)).toBe(pid);
      expect(await rowsAt(kept, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
      await engine.stop(kept.id);
      await engine.stop(kept.id);
      await engine.kill(kept.id);
      expect(engine.isRunning(kept.id)).toBe(false);
      await engine.start(kept);
      expect(await rowsAt(kept, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
    });

    it('tells what it uses', async () => {
      await using client = await subject().connect({ ...OWNER, port: kept.port });
      await client.query('select 1');
      const usage = await subject().engine.usage(kept);
      expect(usage.connections).toBe(1);
      expect(usage.cpuSeconds).toBeGreaterThan(0);
      expect(usage.memoryBytes).toBeGreaterThan(1_000_000);
      expect(usage.storageBytes).toBeGreaterThan(1_000_000);
      expect(usage.storageBytes).toBeLessThan(500_000_000);
    });

    it('answers though strangers have all of its connections, and takes others in when they are gone', async () => {
      const { engine } = subject();
      const strangers = Array.from({ length: 250 }, () => connect(kept.port, '127.0.0.1').on('error', () => undefined));
      try {
        for (let round = 0; round < 20; round++) {
          const health = await engine.probe(kept, 10_000);
          // Who came first, we or the last of them, is chance; that it lives is told either way.
          expect(health === 'crowded' || health.isPrimary).toBe(true);
        }
      } finally {
        for (const stranger of strangers) stranger.destroy();
      }
      await eventually('there is room', async () => !(await refuses(rowsAt(kept, 'select n from kept'))));
      expect(await engine.probe(kept, 10_000)).toEqual({ isPrimary: true, isWritable: true });
    });

    it('takes another size with the next start', async () => {
      const { engine } = subject();
      const larger = { ...kept, size: { ...kept.size, memoryMb: 2048, cpus: 2 } };
      await engine.start(larger);
      await engine.stop(kept.id);
      await engine.start(larger);
      expect(await rowsAt(kept, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
      await engine.stop(kept.id);
      await engine.start(kept);
    });

    it('does not start at a port that is taken, and says so', async () => {
      const { engine } = subject();
      const spec = await specOf('dbs_late', { port: kept.port });
      await engine.create(spec);
      await expect(engine.start(spec)).rejects.toThrow(EngineRefused);
      await expect(engine.start(spec)).rejects.toThrow(String(kept.port));
      expect(engine.isRunning(spec.id)).toBe(false);
    });

    it('makes anew what was left half-made', async () => {
      const { engine } = subject();
      const spec = await specOf('dbs_half');
      await makeDatabase(subject(), spec);
      await engine.stop(spec.id);
      await subject().spoil(spec.id);
      await expect(engine.start(spec)).rejects.toThrow(EngineRefused);
      await makeDatabase(subject(), spec);
      expect(await rowsAt(spec, 'select 1 as n')).toEqual([{ n: 1 }]);
    });

    it('refuses what is not there', async () => {
      const { engine } = subject();
      const spec = await specFor(subject(), 'dbs_nowhere');
      await expect(engine.start(spec)).rejects.toThrow(EngineRefused);
      expect(await refuses(engine.probe(spec, 1000))).toBe(true);
      await engine.stop(spec.id);
      await engine.kill(spec.id);
      await engine.destroy(spec.id);
      expect(await engine.list()).not.toContain(spec.id);
    });

    it('answers in time or not at all', async () => {
      const { engine } = subject();
      const spec = await specOf('dbs_hung');
      await makeDatabase(subject(), spec);
      const pid = await subject().mainPid(spec.id);
      process.kill(pid, 'SIGSTOP');
      try {
        const begun = Date.now();
        expect(await refuses(engine.probe(spec, 300))).toBe(true);
        expect(Date.now() - begun).toBeLessThan(5000);
        expect(engine.isRunning(spec.id)).toBe(true);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      expect(await engine.probe(spec, 10_000)).toEqual({ isPrimary: true, isWritable: true });
      await engine.destroy(spec.id);
    });

    it('loses no acknowledged row when it is killed while it writes', async () => {
      const { engine } = subject();
      const spec = await specOf('dbs_crash');
      await makeDatabase(subject(), spec);
      const writers = await startWriters(subject(), spec.port);
      for (const how of ['the main process', 'all processes'] as const) {
        await writers.untilMore(100);
        if (how === 'all processes') await engine.kill(spec.id);
        else process.kill(await subject().mainPid(spec.id), 'SIGKILL');
        await eventually('it is gone', () => !engine.isRunning(spec.id));
        await engine.start(spec);
      }
      await writers.untilMore(100);
      await writers.stop();
      await using client = await subject().connect({ ...OWNER, port: spec.port });
      expect(await findLost(client, writers.acknowledged)).toEqual([]);
    });
  });

  describe('the end of a server', () => {
    it('is told once when nobody wanted it, and not at all when somebody did', async () => {
      const { engine } = subject();
      const told: string[] = [];
      const stopListening = engine.onExit((id) => void told.push(id));
      const spec = await specOf('dbs_exit');
      await engine.create(spec);
      await engine.start(spec);
      await engine.stop(spec.id);
      await engine.start(spec);
      await engine.kill(spec.id);
      await engine.start(spec);
      expect(told).toEqual([]);
      process.kill(await subject().mainPid(spec.id), 'SIGKILL');
      await eventually('it was told', () => told.length > 0);
      await engine.start(spec);
      await engine.destroy(spec.id);
      expect(told).toEqual([spec.id]);
      stopListening();
    });

    it('is told to whoever takes the platform over, who finds everything running', async () => {
      const spec = await specOf('dbs_adopted');
      await makeDatabase(subject(), spec);
      const pid = await subject().mainPid(spec.id);
      const next = await subject().another();
      try {
        const told: string[] = [];
        next.onExit((id) => void told.push(id));
        expect(next.isRunning(spec.id)).toBe(true);
        expect(await next.list()).toContain(spec.id);
        await next.start(spec);
        expect(await subject().mainPid(spec.id)).toBe(pid);
        process.kill(pid, 'SIGKILL');
        await eventually('it was told', () => told.includes(spec.id));
        expect(told.filter((id) => id === spec.id)).toHaveLength(1);
        await next.start(spec);
        expect(await next.probe(spec, 10_000)).toEqual({ isPrimary: true, isWritable: true });
        await next.stop(spec.id);
      } finally {
        await next.close();
      }
    });

    it('leaves nothing behind', async () => {
      const { engine, home } = subject();
      const spec = await specOf('dbs_gone');
      await makeDatabase(subject(), spec);
      const folder = join(home, 'databases', spec.id);
      const pid = await subject().mainPid(spec.id);
      expect(existsSync(`/proc/${pid}`)).toBe(true);
      await engine.destroy(spec.id);
      expect(tracesOf(folder)).toEqual({ processes: [], mounts: [] });
      // It may have seen its folder by another name.
      expect(existsSync(`/proc/${pid}`)).toBe(false);
      expect(readdirSync(join(home, 'databases')).filter((name) => name.includes(spec.id))).toEqual([]);
      expect(await engine.list()).not.toContain(spec.id);
      expect(engine.isRunning(spec.id)).toBe(false);
      await engine.destroy(spec.id);
    });
  });
}

function tracesOf(folder: string): { processes: string[]; mounts: string[] } {
  const isWithin = (path: string) => path === folder || path.startsWith(`${folder}/`);
  const processes = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && isWithin(readlinkSync(`/proc/${name}/cwd`));
    } catch {
      return false;
    }
  });
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter(isWithin);
  return { processes, mounts };
}
