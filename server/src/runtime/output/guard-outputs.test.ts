import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pathsOf, readConfig } from '../../config.ts';
import { silentLog } from '../../lib/log.ts';
import { membersOf } from '../../sandbox/cgroups/cgroup.ts';
import { eventually } from '../../testing/eventually.ts';
import { findInstance } from '../held/find-instance.ts';
import { holdBack, isHeldBack, letGo } from '../held/hold-back.ts';
import { readStat } from '../held/namespace-processes.ts';
import { openInstanceBench } from '../sandbox/testing/instance-bench.ts';
import { guardOutputs } from './guard-outputs.ts';
import { InstanceOutputs } from './instance-outputs.ts';

const MEBIBYTE = 1024 ** 2;

function makeHome() {
  const home = mkdtempSync(join(tmpdir(), 'lilac-guard-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const config = readConfig({ LILAC_HOME: home });
  return { home, config, paths: pathsOf(config) };
}

const usedBytes = (folder: string) =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).blocks * 512, 0);

function makeOutput() {
  const { config, paths } = makeHome();
  const open = () => new InstanceOutputs({ root: paths.outputs, log: silentLog });
  const labels = { instanceId: 'ins_1', organisationId: 'org_1', environmentId: 'env_1', deploymentId: 'dep_1' };
  const folder = open().make(labels);
  const guard = guardOutputs({ config, say: () => {} });
  onTestFinished(() => guard.close());
  const write = (mebibytes: number) => {
    for (let count = 0; count < mebibytes; count++) appendFileSync(join(folder, 'stdout'), Buffer.alloc(MEBIBYTE, 'x'));
  };
  return { guard, folder, open, write };
}

describe('the guard of outputs', () => {
  it('keeps them in their bounds while nobody reads, and whoever reads next knows what is gone', async () => {
    const { guard, folder, open, write } = makeOutput();
    write(80);
    await eventually('the oldest is gone', () => usedBytes(folder) < 64 * MEBIBYTE);
    await guard.handOver();
    const { lostBytes, stdout } = open().read('ins_1', { stdout: 0, stderr: 0 }, 1024);
    expect(lostBytes).toBeGreaterThan(16 * MEBIBYTE);
    expect(stdout.toString()).toBe('x'.repeat(1024));
  });

  it('leaves them alone while a worker has them, and goes on from what that one noted when it is gone', async () => {
    const { guard, folder, open, write } = makeOutput();
    await guard.handOver();
    const outputs = open();
    write(60);
    outputs.release('ins_1', { stdout: 50 * MEBIBYTE, stderr: 0 });
    await outputs.trim('ins_1');
    write(50);
    const { position } = outputs.read('ins_1', { stdout: 50 * MEBIBYTE, stderr: 0 }, 1024);
    expect(position.stdout).toBe(50 * MEBIBYTE + 1024);
    guard.takeBack();
    write(40);
    await eventually('the oldest is gone', () => usedBytes(folder) < 64 * MEBIBYTE);
    await guard.handOver();
    const { lostBytes } = open().read('ins_1', { stdout: 50 * MEBIBYTE, stderr: 0 }, 1024);
    expect(lostBytes).toBeGreaterThan(30 * MEBIBYTE);
    expect(lostBytes).toBeLessThan(80 * MEBIBYTE);
  });
});

describe('an instance that is held back', () => {
  it('stands still, all of it, goes on when it is let go, and hears that it is to end', async () => {
    await using bench = await openInstanceBench();
    const id = await bench.start('trap "echo asked; exit 0" TERM; (while :; do echo on; sleep 0.01; done) & wait');
    await bench.says(id, 'on');
    const instance = findInstance(join(bench.subject.home, 'instances', id))!;
    const path = join(bench.subject.home, 'outputs', id, 'stdout');
    const goesOn = async (what: string) => {
      const { size } = statSync(path);
      await eventually(what, () => statSync(path).size > size);
    };
    holdBack(instance);
    await eventually('it stands still', () => hasStopped(path));
    letGo(instance);
    await goesOn('it writes again');
    expect(isHeldBack(instance.folder)).toBe(false);
    holdBack(instance);
    await bench.runtime.stop(id, { graceMs: 10_000 });
    const { stdout } = await bench.runtime.readOutput(id, { stdout: 0, stderr: 0 }, MEBIBYTE);
    expect(stdout.toString()).toMatch(/asked\n/);
    expect(await bench.subject.remains(id)).toEqual([]);
  });

  it('can be ended at once, and is let go by the next guard where the last one was killed', async () => {
    await using bench = await openInstanceBench();
    const start = async () => {
      const id = await bench.start('echo on; sleep 1000');
      await bench.says(id, 'on');
      holdBack(findInstance(join(bench.subject.home, 'instances', id))!);
      return id;
    };
    const ended = await start();
    await bench.runtime.stop(ended, { graceMs: 0 });
    expect(await bench.subject.remains(ended)).toEqual([]);
    const left = await start();
    const guard = guardOutputs({ config: readConfig({ LILAC_HOME: bench.subject.home }), say: () => {} });
    expect(isHeldBack(join(bench.subject.home, 'instances', left))).toBe(false);
    await guard.close();
  });

  it('without control groups: its processes are stopped, and go on', async () => {
    await using bench = await openInstanceBench();
    const id = await bench.start('echo on; sleep 1000');
    await bench.says(id, 'on');
    const found = findInstance(join(bench.subject.home, 'instances', id))!;
    const members = () => membersOf(found.record.cgroup).map((pid) => readStat(pid)[0]);
    const instance = { ...found, record: { ...found.record, cgroup: [] } };
    holdBack(instance);
    await eventually('all are stopped', () => members().every((state) => state === 'T'));
    letGo(instance);
    await eventually('none is', () => members().every((state) => state !== 'T'));
    expect(members()).not.toEqual([]);
  });
});

describe('a disk filler', () => {
  it('takes no more than it may, with a worker that does nothing and with none, and runs on', async () => {
    await using bench = await openInstanceBench();
    // A runtime that has been killed trims nothing.
    await bench.runtime.close();
    const guard = guardOutputs({ config: readConfig({ LILAC_HOME: bench.subject.home }), say: () => {} });
    onTestFinished(() => guard.close());
    await guard.handOver();
    const id = await bench.start('exec dd if=/dev/zero bs=1M', { cpus: 1 });
    const folder = join(bench.subject.home, 'outputs', id);
    const instance = join(bench.subject.home, 'instances', id);
    const path = join(folder, 'stdout');
    await eventually('it has to wait', () => isHeldBack(instance));
    await eventually('it stands still', () => hasStopped(path));
    expect(usedBytes(folder)).toBeLessThan(LARGEST_MB * MEBIBYTE);
    guard.takeBack();
    let most = 0;
    const { size } = statSync(path);
    await eventually('it has written much more', () => {
      most = Math.max(most, usedBytes(folder));
      return statSync(path).size > size + 2048 * MEBIBYTE;
    });
    expect(most).toBeLessThan(LARGEST_MB * MEBIBYTE);
    expect(bench.exits).toEqual([]);
    await bench.runtime.stop(id, { graceMs: 0 });
    expect(existsSync(instance)).toBe(false);
  });
});

/** One holds at 256 MiB; what is written until that is noticed comes to it. */
const LARGEST_MB = 1024;

let last = { path: '', size: -1, atMs: 0 };
/** Nothing was written for a while. */
function hasStopped(path: string): boolean {
  const { size } = statSync(path);
  if (last.path !== path || last.size !== size) last = { path, size, atMs: Date.now() };
  return Date.now() - last.atMs > 300;
}
