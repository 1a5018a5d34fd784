import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../lib/exec.ts';
import { findProgram } from '../lib/find-program.ts';
import { processTree } from '../lib/process-tree.ts';
import { eventually } from '../testing/eventually.ts';
import { BuildFailed } from './builder.ts';
import { watchDisk } from './watch-disk.ts';

const MEBIBYTE = 1024 ** 2;
const python = findProgram(['python3'], process.env.PATH ?? '');

function folderFor(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('tells once the folders together hold more than they may, and not before', async () => {
  const folders = [1, 2].map(folderFor);
  using enough = watchDisk(folders, { maxBytes: 100 * MEBIBYTE, everyMs: 10 });
  using watch = watchDisk(folders, { maxBytes: 3 * MEBIBYTE, everyMs: 10 });
  for (const folder of folders) {
    expect(watch.signal.aborted).toBe(false);
    writeFileSync(join(folder, 'file'), Buffer.alloc(2 * MEBIBYTE, 1));
  }
  await eventually('it is told', () => watch.signal.aborted);
  expect(watch.signal.reason).toBeInstanceOf(BuildFailed);
  expect(enough.signal.aborted).toBe(false);
});

const ours = () => processTree(process.pid);

/** A child's child has a file of 4 MiB, which it removes. */
const HIDERS = {
  open: 'f.flush(); os.unlink(f.name)',
  mapped: 'f.flush(); m = mmap.mmap(f.fileno(), 4096); os.unlink(f.name); f.close()',
};

describe.runIf(python !== null)('a file that has no name any more', () => {
  it.each(process.getuid?.() === 0 ? (['open', 'mapped'] as const) : (['open'] as const))(
    'counts while a process of the build has it %s',
    async (how) => {
      const folder = folderFor();
      const script = `import os, mmap, time
f = open("big", "wb+"); f.write(b"x" * ${4 * MEBIBYTE}); ${HIDERS[how]}
open("done", "w").close(); time.sleep(600)`;
      const stop = new AbortController();
      const ended = run(
        [
          python!,
          '-c',
          `import os; os.fork() or os.execv(${JSON.stringify(python)}, ["p", "-c", """${script}"""]); os.wait()`,
        ],
        {
          cwd: folder,
          env: {},
          signal: stop.signal,
        },
      ).catch(() => {});
      await eventually('the file is hidden', () => existsSync(join(folder, 'done')));
      using unaware = watchDisk([folder], { maxBytes: 3 * MEBIBYTE, everyMs: 10 });
      using aware = watchDisk([folder], { maxBytes: 3 * MEBIBYTE, everyMs: 10, members: ours });
      await eventually('it is told', () => aware.signal.aborted);
      expect(aware.signal.reason).toBeInstanceOf(BuildFailed);
      expect(unaware.signal.aborted).toBe(false);
      stop.abort();
      await ended;
    },
  );
});

it('ends a build that leaves too little room on the file system, not one beside which there is little anyway', async () => {
  const folder = folderFor();
  let freeBytes = 10 * 1024 * MEBIBYTE;
  const readSpace = () => Promise.resolve({ freeBytes, totalBytes: 1024 * 1024 * MEBIBYTE });
  using watch = watchDisk([folder], { readSpace });
  await delay(300);
  expect(watch.signal.aborted).toBe(false);
  freeBytes = 1000 * MEBIBYTE;
  await eventually('it is told', () => watch.signal.aborted);
  expect((watch.signal.reason as Error).message).toContain('less than 1024 MiB left');
  using steady = watchDisk([folder], { readSpace });
  using small = watchDisk([folder], { readSpace: async () => ({ ...(await readSpace()), totalBytes: 2e9 }) });
  await delay(300);
  expect([steady.signal.aborted, small.signal.aborted]).toEqual([false, false]);
});

/** A disk of which a build takes what it is told to. */
function diskFor(options: { everyMs?: number; fails?: () => boolean } = {}) {
  const disk = { takenBytes: 0, looks: 0, troubles: [] as string[] };
  const watch = watchDisk([folderFor()], {
    maxBytes: 160 * MEBIBYTE,
    everyMs: options.everyMs,
    readSpace: () => Promise.resolve({ freeBytes: 1024 ** 4 - disk.takenBytes, totalBytes: 2 * 1024 ** 4 }),
    measure: (folders) => {
      disk.looks += 1;
      return options.fails?.()
        ? Promise.reject(new Error(`du: cannot read directory '${folders[0]}/x/y': Permission denied`))
        : Promise.resolve(disk.takenBytes);
    },
    onTrouble: (sentence) => void disk.troubles.push(sentence),
  });
  onTestFinished(() => watch[Symbol.dispose]());
  return { disk, watch };
}

describe('folders are measured', () => {
  it('when a part of what is allowed has gone from the disk, and seldom otherwise', async () => {
    const { disk, watch } = diskFor();
    disk.takenBytes = 9 * MEBIBYTE;
    await delay(600);
    expect(disk.looks).toBe(0);
    disk.takenBytes = 11 * MEBIBYTE;
    await eventually('they are measured', () => disk.looks === 1);
    await delay(600);
    expect(disk.looks).toBe(1);
    disk.takenBytes = 161 * MEBIBYTE;
    await eventually('it is told', () => watch.signal.aborted);
    expect(disk.looks).toBe(2);
  });

  it('again after a failure, which is told without the places of this machine', async () => {
    let hasFailed = false;
    const fails = () => !hasFailed && (hasFailed = true);
    const { disk, watch } = diskFor({ everyMs: 10, fails });
    await eventually('it has gone on', () => disk.looks > 8);
    expect(disk.troubles).toEqual([
      "What the build writes cannot be measured: du: cannot read directory 'x/y': Permission denied.",
    ]);
    expect(watch.signal.aborted).toBe(false);
  });

  it('no longer after many failures in a row: the build is ended', async () => {
    const { disk, watch } = diskFor({ everyMs: 10, fails: () => true });
    await eventually('it is ended', () => watch.signal.aborted);
    expect(disk.looks).toBe(5);
    expect(disk.troubles.length).toBe(1);
    expect(watch.signal.reason).toBeInstanceOf(BuildFailed);
    expect((watch.signal.reason as Error).message).toMatch(/Permission denied\. Let it/);
  });
});

it('ends a build whose file system says nothing any more', async () => {
  const folder = folderFor();
  const troubles: string[] = [];
  using watch = watchDisk([folder], {
    readSpace: () => Promise.reject(new Error(`EIO: i/o error, statfs '${folder}'`)),
    onTrouble: (sentence) => void troubles.push(sentence),
  });
  await eventually('it is ended', () => watch.signal.aborted);
  expect(troubles).toEqual(["What the build writes cannot be measured: EIO: i/o error, statfs '.'."]);
});
