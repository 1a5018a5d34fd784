import { describe, expect, it } from 'vitest';
import type { InstanceOutput, OutputPosition, Runtime } from './runtime.ts';
import { eventually, hasEnded, saysSomething, type RuntimeBench } from './conformance.ts';

const BEGINNING: OutputPosition = { stdout: 0, stderr: 0 };
const OVER = { isOver: true, isStopped: true };

/** What instances wrote is there until whoever collects it has all of it. */
export function conformOutputs(bench: RuntimeBench): void {
  conformReading(bench);
  conformKeeping(bench);
}

function conformReading(bench: RuntimeBench): void {
  describe('readOutput', () => {
    it('gives both streams apart, byte for byte, lines or not', async () => {
      const { id } = await bench.start(`printf 'a\\000b\\r\\nc'; printf 'trouble' >&2; sleep 1000`);
      await eventually('all has come', async () => (await readAll(bench.runtime, id)).position.stderr === 7);
      const { stdout, stderr, position, lostBytes } = await readAll(bench.runtime, id);
      expect({ stdout, stderr }).toEqual({ stdout: 'a\0b\r\nc', stderr: 'trouble' });
      expect(position).toEqual({ stdout: 6, stderr: 7 });
      expect(lostBytes).toBe(0);
    });

    it('goes on from a position, at most so many bytes of each, and is empty at the end', async () => {
      const { id } = await bench.start('echo first; echo second >&2; sleep 1000');
      await eventually('all has come', async () => (await readAll(bench.runtime, id)).position.stderr === 7);
      const before = Date.now();
      const part = await bench.runtime.readOutput(id, { stdout: 2, stderr: 0 }, 3);
      expect([part.stdout.toString(), part.stderr.toString()]).toEqual(['rst', 'sec']);
      expect(part.position).toEqual({ stdout: 5, stderr: 3 });
      for (const time of Object.values(part.writtenAt)) expect(time.getTime()).toBeLessThanOrEqual(before + 1000);
      const end = { stdout: 6, stderr: 7 };
      const rest = await bench.runtime.readOutput(id, end, 100);
      expect(rest).toMatchObject({ position: end, lostBytes: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) });
    });

    it('goes on after what was released, whatever is left of that', async () => {
      const { id } = await bench.start(`yes released | head -c 27000000; echo kept; sleep 1000`);
      const end = 27_000_000 + 'kept\n'.length;
      await eventually('all is written', async () => (await readAll(bench.runtime, id)).position.stdout === end);
      const position = { stdout: 27_000_000, stderr: 0 };
      await bench.runtime.releaseOutput(id, position);
      expect((await readAll(bench.runtime, id, position)).stdout).toBe('kept\n');
      await bench.reopen();
      expect((await readAll(bench.runtime, id, position)).stdout).toBe('kept\n');
      expect((await bench.runtime.tail(id, 2)).at(-1)).toBe('kept');
    });

    it('is empty for what is not there', async () => {
      const part = await bench.runtime.readOutput('ins_unknown', { stdout: 3, stderr: 4 }, 100);
      expect(part).toMatchObject({ position: { stdout: 3, stderr: 4 }, lostBytes: 0 });
      expect(part.stdout.length + part.stderr.length).toBe(0);
      await bench.runtime.releaseOutput('ins_unknown', { stdout: 3, stderr: 4 });
      await bench.runtime.forgetOutput('ins_unknown');
    });
  });
}

function conformKeeping(bench: RuntimeBench): void {
  describe('outputs and forgetOutput', () => {
    it('tells whose it is, and whether more will come', async () => {
      const { id } = await bench.start('echo up; sleep 1000', { environmentId: 'env_8', deploymentId: 'dep_8' });
      const labels = { instanceId: id, organisationId: 'org_1', environmentId: 'env_8', deploymentId: 'dep_8' };
      expect(await outputOf(bench, id)).toEqual({ ...labels, isOver: false, isStopped: false });
      await bench.reopen();
      expect(await outputOf(bench, id)).toEqual({ ...labels, isOver: false, isStopped: false });
      await bench.runtime.stop(id, { graceMs: 0 });
      expect(await outputOf(bench, id)).toEqual({ ...labels, ...OVER });
    });

    it('what an instance wrote last, also while it was asked to end, is there after the stop, until it is forgotten', async () => {
      const { id } = await bench.start(`trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done`);
      await saysSomething(bench, id);
      await bench.runtime.stop(id, { graceMs: 30_000 });
      expect((await readAll(bench.runtime, id)).stdout).toBe('up\nbye\n');
      await bench.reopen();
      expect(await outputOf(bench, id)).toMatchObject(OVER);
      expect((await readAll(bench.runtime, id)).stdout).toBe('up\nbye\n');
      await bench.runtime.forgetOutput(id);
      expect(await outputOf(bench, id)).toBeUndefined();
      expect((await readAll(bench.runtime, id)).stdout).toBe('');
      await bench.reopen();
      expect(await outputOf(bench, id)).toBeUndefined();
    });

    it('what has ended is over, and not to be forgotten before it is stopped: its last lines are asked for', async () => {
      const { id } = await bench.start('echo last words; exit 1');
      await hasEnded(bench, id);
      await eventually('it is over', async () => (await outputOf(bench, id))?.isOver === true);
      expect(await outputOf(bench, id)).toMatchObject({ isStopped: false });
      await expect(bench.runtime.forgetOutput(id)).rejects.toThrow(id);
      expect(await bench.runtime.tail(id, 1)).toEqual(['last words']);
      await bench.reopen();
      expect(await outputOf(bench, id)).toMatchObject({ isOver: true, isStopped: false });
    });

    it('what runs cannot be forgotten', async () => {
      const { id } = await bench.start('echo up; sleep 1000');
      await saysSomething(bench, id);
      await expect(bench.runtime.forgetOutput(id)).rejects.toThrow(id);
      expect((await readAll(bench.runtime, id)).stdout).toBe('up\n');
    });
  });
}

async function outputOf({ runtime }: RuntimeBench, id: string): Promise<InstanceOutput | undefined> {
  return (await runtime.outputs()).find(({ instanceId }) => instanceId === id);
}

async function readAll(runtime: Runtime, id: string, from = BEGINNING) {
  const read = { stdout: '', stderr: '', position: from, lostBytes: 0 };
  for (;;) {
    const part = await runtime.readOutput(id, read.position, 1024 ** 2);
    read.position = part.position;
    read.lostBytes += part.lostBytes;
    if (part.stdout.length + part.stderr.length === 0) return read;
    read.stdout += part.stdout.toString();
    read.stderr += part.stderr.toString();
  }
}
