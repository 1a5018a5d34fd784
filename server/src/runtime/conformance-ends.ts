import { describe, expect, it } from 'vitest';
import type { Exit, InstanceSpec } from './runtime.ts';
import { ask, eventually, hasEnded, saysSomething, type RuntimeBench } from './conformance.ts';

/** How instances end: by themselves, when they are stopped, and not when the platform does. */
export function conformEnds(bench: RuntimeBench): void {
  conformExits(bench);
  conformStops(bench);
  conformAdoption(bench);
}

function conformExits(bench: RuntimeBench): void {
  describe('onExit', () => {
    it('tells the exit code, once', async () => {
      expect(await exitOf(bench, 'exit 7')).toEqual({ exitCode: 7, isOutOfMemory: false });
      expect(await exitOf(bench, 'exit 0')).toEqual({ exitCode: 0, isOutOfMemory: false });
      expect(bench.exits).toHaveLength(2);
    });

    it('tells no exit code of what a signal ended', async () => {
      expect(await exitOf(bench, 'kill -KILL $$')).toEqual({ exitCode: null, isOutOfMemory: false });
    });

    it('tells that memory ran out', async () => {
      const hog = `node -e 'const kept = []; for (;;) kept.push(Buffer.alloc(1e6, 1))'`;
      expect((await exitOf(bench, hog, { memoryMb: 128 })).isOutOfMemory).toBe(true);
    });

    it('the end of the first process is the end: nothing of it runs on', async () => {
      const { id } = await bench.start('setsid sleep 1000 & exit 3');
      await hasEnded(bench, id);
      expect((await bench.runtime.usage()).has(id)).toBe(false);
      await bench.runtime.stop(id, { graceMs: 0 });
      expect(await bench.remains(id)).toEqual([]);
    });

    it('what has ended is listed, with its last lines, until it is stopped', async () => {
      const { id } = await bench.start('echo last words; exit 1');
      await hasEnded(bench, id);
      expect(await bench.runtime.tail(id, 1)).toEqual(['last words']);
      await bench.runtime.stop(id, { graceMs: 0 });
      expect((await bench.runtime.list()).map((each) => each.id)).not.toContain(id);
      expect(await bench.runtime.tail(id, 1)).toEqual([]);
    });

    it('a listener that was taken away is told nothing', async () => {
      let told = 0;
      const stop = bench.runtime.onExit(() => told++);
      stop();
      await exitOf(bench, 'exit 1');
      expect(told).toBe(0);
    });
  });
}

/** What is told of it, which must be what is listed. */
async function exitOf(bench: RuntimeBench, command: string, changes: Partial<InstanceSpec> = {}): Promise<Exit> {
  const { id, environmentId } = await bench.start(command, changes);
  const told = () => bench.exits.find(({ instanceId }) => instanceId === id);
  await eventually('it is told', () => told() !== undefined);
  const { exitCode, isOutOfMemory, ...whose } = told()!;
  expect(whose).toEqual({ instanceId: id, environmentId });
  expect((await bench.runtime.list()).find((each) => each.id === id)?.exit).toEqual({ exitCode, isOutOfMemory });
  return { exitCode, isOutOfMemory };
}

function conformStops(bench: RuntimeBench): void {
  describe('stop', () => {
    it('asks with SIGTERM and lets it finish; nothing is left, and nobody is told', async () => {
      const { id } = await bench.start(`trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done`);
      await saysSomething(bench, id);
      expect(await bench.remains(id)).not.toEqual([]);
      const begun = Date.now();
      await bench.runtime.stop(id, { graceMs: 30_000 });
      expect(Date.now() - begun).toBeLessThan(30_000);
      expect(await bench.remains(id)).toEqual([]);
      expect(await bench.runtime.list()).toEqual([]);
      expect(bench.exits).toEqual([]);
    });

    it('every process is asked, not only the first', async () => {
      const { id } = await bench.start(`trap '' TERM; (trap - TERM; echo up; exec sleep 1000); exit 0`);
      await saysSomething(bench, id);
      const begun = Date.now();
      await bench.runtime.stop(id, { graceMs: 30_000 });
      expect(Date.now() - begun).toBeLessThan(30_000);
    });

    it('ends after the grace what does not listen, and not before', async () => {
      const { id } = await bench.start(`trap '' TERM; echo up; while :; do sleep 0.05; done`);
      await saysSomething(bench, id);
      const begun = Date.now();
      await bench.runtime.stop(id, { graceMs: 500 });
      expect(Date.now() - begun).toBeGreaterThanOrEqual(490);
      expect(await bench.remains(id)).toEqual([]);
      expect(bench.exits).toEqual([]);
    });

    it('asked again with less patience it hurries', async () => {
      const { id } = await bench.start(`trap '' TERM; echo up; while :; do sleep 0.05; done`);
      await saysSomething(bench, id);
      const begun = Date.now();
      await Promise.all([bench.runtime.stop(id, { graceMs: 30_000 }), bench.runtime.stop(id, { graceMs: 100 })]);
      expect(Date.now() - begun).toBeLessThan(30_000);
    });

    it('right after the start ends it too', async () => {
      const spec = bench.spec('sleep 1000');
      const starting = bench.runtime.start(spec);
      await bench.runtime.stop(spec.id, { graceMs: 10_000 });
      await starting;
      expect(await bench.remains(spec.id)).toEqual([]);
    });

    it('is harmless for what is not there, and leaves others alone', async () => {
      const { id, host, port } = await bench.start('node server.js', { env: { ANSWER: 'still here' } });
      await ask({ host, port });
      await bench.runtime.stop('ins_unknown', { graceMs: 0 });
      expect(await ask({ host, port })).toBe('still here');
      await bench.runtime.stop(id, { graceMs: 10_000 });
      await bench.runtime.stop(id, { graceMs: 0 });
    });
  });
}

function conformAdoption(bench: RuntimeBench): void {
  describe('the next process of the platform', () => {
    it('finds what runs, where it was, and it never stopped answering', async () => {
      const { id, host, port } = await bench.start('node server.js', { env: { ANSWER: 'same' } });
      await ask({ host, port });
      const [before] = await bench.runtime.list();
      await bench.reopen();
      expect(await bench.runtime.list()).toEqual([before]);
      expect(await ask({ host, port })).toBe('same');
      expect((await bench.runtime.usage()).get(id)?.memoryBytes).toBeGreaterThan(0);
      expect(await bench.runtime.start({ ...bench.spec('exit 1'), id })).toEqual({ host, port });
    });

    it('is told of the end of what it found, with the exit code, once', async () => {
      const last = `require('node:http').createServer((_, answer) => answer.end('bye', () => process.exit(9)))`;
      const end = `${last}.listen(process.argv[1], () => console.log('up'))`;
      const { id, environmentId, host, port } = await bench.start(`node -e '${end.replaceAll("'", '"')}' "$PORT"`);
      await saysSomething(bench, id);
      await bench.reopen();
      expect(await ask({ host, port })).toBe('bye');
      await eventually('it is told', () => bench.exits.length > 0);
      const exit = { instanceId: id, environmentId, exitCode: 9, isOutOfMemory: false };
      expect(bench.exits).toEqual([exit]);
    });

    it('sees what ended before in the list, and stops what it found', async () => {
      const ended = await bench.start('exit 4');
      const running = await bench.start('sleep 1000');
      await hasEnded(bench, ended.id);
      await bench.reopen();
      const found = Object.fromEntries((await bench.runtime.list()).map(({ id, exit }) => [id, exit]));
      expect(found).toEqual({ [ended.id]: { exitCode: 4, isOutOfMemory: false }, [running.id]: null });
      for (const { id } of [ended, running]) {
        await bench.runtime.stop(id, { graceMs: 10_000 });
        expect(await bench.remains(id)).toEqual([]);
      }
    });
  });
}
