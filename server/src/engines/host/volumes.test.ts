import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run, start } from '../../lib/exec.ts';
import { silentLog } from '../../lib/log.ts';
import { createSandbox } from '../../sandbox/create-sandbox.ts';
import { uidOf } from '../../sandbox/uids.ts';
import { eventually } from '../../testing/eventually.ts';
import { findLoopDevice } from './loop-devices.ts';
import { filesOf } from './place-files.ts';
import type { PlaceRecord } from './place-record.ts';
import { makeHome, openHostBench, remainsOf, smallSize } from './testing/host-bench.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const system = { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } };

const freeOnMachine = async () => {
  const { stdout } = await run(['df', '--output=avail', '-B1', '/tmp'], system);
  return Number(stdout.split('\n')[1]);
};

describe.runIf(process.getuid?.() === 0)('the volume of a server', () => {
  it('ends a little behind the promise: who fills it is refused, and nobody else notices', async () => {
    await using bench = await openHostBench();
    const [full, other] = [await bench.take('dbs_1'), await bench.take('dbs_2', { databaseId: 'db_2' })];
    const before = await bench.host.space(full);
    expect(before.promisedBytes).toBe(GIB);
    expect(before.hardBytes).toBeGreaterThan(GIB + 256 * MIB);
    expect(before.hardBytes).toBeLessThan(GIB * 1.1 + 512 * MIB);
    expect(before.usedBytes).toBeLessThan(MIB);
    // Takes blocks of the volume without writing to the machine's disk.
    expect(
      await bench.sh(full, 'fallocate -l 4G all || for i in 1 2 3 4; do fallocate -l 1G part$i; done 2>&1'),
    ).toMatch(/No space left on device/);
    await bench.sh(
      full,
      'rm -f all part*; fallocate -l 1100M large; i=0; while fallocate -l 16M f$i; do i=$((i+1)); done',
    );
    const { usedBytes, hardBytes } = await bench.host.space(full);
    expect(hardBytes! - usedBytes).toBeLessThan(20 * MIB);
    expect(await bench.sh(other, 'dd if=/dev/zero of=fine bs=1M count=20 conv=fsync 2>/dev/null && echo fine')).toBe(
      'fine\n',
    );
    expect(await freeOnMachine()).toBeGreaterThan(GIB);
  });

  it('has a reserve that is given up, and taken again when there is room', async () => {
    await using bench = await openHostBench();
    const place = await bench.take();
    const fill = 'i=0; while fallocate -l 8M f$i 2>/dev/null; do i=$((i+1)); done; fallocate -l 8M more && echo room';
    expect(await bench.sh(place, `fallocate -l 1200M large; ${fill}`)).not.toContain('room');
    await bench.host.giveUpReserve(place);
    expect(await bench.sh(place, 'fallocate -l 40M more && echo room')).toBe('room\n');
    await bench.host.keepReserve(place);
    expect(existsSync(filesOf(place.folder).reserve)).toBe(false);
    const { usedBytes } = await bench.host.space(place);
    await bench.sh(place, 'rm more f*');
    await bench.host.keepReserve(place);
    expect(statSync(filesOf(place.folder).reserve).size).toBe(64 * MIB);
    expect((await bench.host.space(place)).usedBytes).toBeLessThan(usedBytes);
  });

  it('grows while its server writes, and never shrinks', async () => {
    await using bench = await openHostBench();
    const place = await bench.take();
    await bench.launch(place, 'while :; do date > now; sync now; done');
    await bench.host.grow('dbs_1', 3);
    const grown = await bench.host.space(place);
    expect(grown.promisedBytes).toBe(3 * GIB);
    expect(grown.hardBytes).toBeGreaterThan(3 * GIB);
    expect(grown.usedBytes).toBeLessThan(2 * MIB);
    await bench.host.grow('dbs_1', 2);
    await bench.take('dbs_1', { size: smallSize });
    expect((await bench.host.space(place)).promisedBytes).toBe(3 * GIB);
    expect(bench.host.isRunning('dbs_1')).toBe(true);
    expect(bench.exits).toEqual([]);
  });

  it('that cannot grow stays as it was, with its server, for the next worker too', async () => {
    const home = makeHome();
    await using bench = await openHostBench({ home, keepHome: true });
    const place = await bench.take();
    await bench.launch(place, 'while :; do date > now; sync now; done');
    // Larger than what the programs of the file system and the kernel's own numbers take, wherever this runs.
    await expect(bench.host.grow('dbs_1', 2 ** 40)).rejects.toThrow('This machine cannot give');
    expect(bench.host.isRunning('dbs_1')).toBe(true);
    expect((await bench.host.space(place)).promisedBytes).toBe(GIB);
    await using next = await openHostBench({ home });
    expect(await next.host.find('dbs_1')).toMatchObject({ home: place.home });
    expect(next.host.isRunning('dbs_1')).toBe(true);
    await next.host.grow('dbs_1', 2);
    expect(await next.host.space(place)).toMatchObject({ promisedBytes: 2 * GIB });
    expect(next.exits).toEqual([]);
  });

  it('that is smaller than its record says is opened all the same, and grows', async () => {
    await using bench = await openHostBench();
    const place = await bench.take();
    const { record } = filesOf(place.folder);
    const known = JSON.parse(readFileSync(record, 'utf8')) as PlaceRecord;
    writeFileSync(record, JSON.stringify({ ...known, size: { ...known.size, storageGb: 65_536 } }));
    expect((await bench.host.find('dbs_1'))?.home).toBe(place.home);
    expect((await bench.host.space(place)).promisedBytes).toBe(GIB);
    await bench.host.grow('dbs_1', 2);
    const grown = await bench.host.space(place);
    expect(grown.promisedBytes).toBe(2 * GIB);
    expect(grown.hardBytes).toBeGreaterThan(2 * GIB);
  });

  it('is a sparse file, which gives back what is deleted', async () => {
    await using bench = await openHostBench();
    const place = await bench.take();
    const { image } = filesOf(place.folder);
    const taken = () => statSync(image).blocks * 512;
    await bench.sh(place, 'head -c 200M /dev/urandom > large; sync large');
    const full = taken();
    expect(full).toBeGreaterThan(200 * MIB);
    await bench.sh(place, 'rm large');
    // The file system takes its time, unless it is asked to write everything down.
    await eventually('the machine has it back', async () => {
      await bench.sh(place, 'sync -f .');
      return taken() < full - 150 * MIB;
    });
  });

  it('is mounted again after a restart of the machine, and after it has failed', async () => {
    await using bench = await openHostBench();
    const place = await bench.take();
    writeFileSync(join(place.home, 'kept'), 'yes');
    const { base, volume } = filesOf(place.folder);
    for (const path of [volume, base]) await run(['umount', path], system);
    expect(existsSync(place.home)).toBe(false);
    expect((await bench.host.find('dbs_1'))?.home).toBe(place.home);
    expect(readFileSync(join(place.home, 'kept'), 'utf8')).toBe('yes');
    await run(['xfs_io', '-x', '-c', 'shutdown', volume], system);
    expect(() => readdirSync(place.home)).toThrow('EIO');
    await bench.host.find('dbs_1');
    expect(readFileSync(join(place.home, 'kept'), 'utf8')).toBe('yes');
  });

  it('goes from the machine with its server, and comes back with it', async () => {
    await using bench = await openHostBench();
    const place = await bench.take();
    await bench.sh(place, 'echo mine > file');
    await bench.launch(place, 'sleep 1000');
    expect(await bench.host.putAway('dbs_1')).toBe(false);
    await bench.host.kill('dbs_1');
    expect(await bench.host.putAway('dbs_1')).toBe(true);
    expect(bench.host.databaseOf('dbs_1')).toBe('db_1');
    expect(remainsOf(bench.home, 'dbs_1')).toEqual([]);
    expect(await bench.host.putAway('dbs_1')).toBe(false);
    const found = await bench.host.find('dbs_1');
    expect(readFileSync(join(found!.home, 'file'), 'utf8')).toBe('mine\n');
    await bench.launch(found!, 'sleep 1000');
    expect(bench.host.isRunning('dbs_1')).toBe(true);
  });

  it('is not kept by a sandbox that was started while it was there', async () => {
    await using bench = await openHostBench();
    const place = await bench.take('dbs_seen');
    writeFileSync(join(place.home, 'secret'), 'of another');
    const ending = new AbortController();
    const sandbox = createSandbox({ config: { home: bench.home }, log: silentLog });
    let said = '';
    const done = sandbox.run({
      name: 'onlooker',
      argv: ['/bin/sh', '-c', `ls ${place.home} 2>/dev/null; cat /proc/mounts; echo ready; exec sleep 1000`],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      mounts: [],
      uid: uidOf('org_1'),
      limits: { memoryMb: 128, cpus: 1, pids: 32, timeoutMs: 60_000 },
      signal: ending.signal,
      onLine: (line) => void (said += `${line}\n`),
    });
    await eventually('it runs', () => said.includes('ready'));
    expect(said).not.toContain('secret');
    expect(said).not.toContain(`${place.folder}/v`);
    const { image } = filesOf(place.folder);
    expect(findLoopDevice(image)).not.toBeNull();
    await bench.host.remove('dbs_seen');
    expect(remainsOf(bench.home, 'dbs_seen')).toEqual([]);
    ending.abort();
    await done;
  });

  it('is removed while a namespace that hears nothing of ours holds it', async () => {
    await using bench = await openHostBench();
    const place = await bench.take('dbs_held');
    const { volume } = filesOf(place.folder);
    const holder = start(
      ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', 'cd "$1"; echo in; exec sleep 1000', 'sh', volume],
      { ...system, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout!, 'data');
    await bench.sh(place, 'head -c 50M /dev/urandom > large; sync large');
    await bench.host.remove('dbs_held');
    expect(readdirSync(join(bench.home, 'databases'))).toEqual([]);
    const again = await bench.take('dbs_held');
    expect(readdirSync(again.home)).toEqual([]);
    await bench.host.remove('dbs_held');
    // Nobody can take it from there: it lasts as long as the namespace, but its data is gone.
    expect(remainsOf(bench.home, 'dbs_held')).toEqual([expect.stringContaining('(deleted)')]);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await eventually('the disk is gone', () => remainsOf(bench.home, 'dbs_held').length === 0);
  });
});
