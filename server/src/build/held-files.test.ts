import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { heldBytes } from './held-files.ts';

const MEBIBYTE = 1024 ** 2;
const never = new AbortController().signal;

/** A file that this process has open so many times; its name looks like what is read. */
function hold(mebibytes: number, { times = 1, isRemoved = true } = {}): void {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-held-'));
  const path = join(folder, 'file (deleted)\n8000 0 1 1 9999999');
  writeFileSync(path, Buffer.alloc(mebibytes * MEBIBYTE, 1));
  const open = Array.from({ length: times }, () => openSync(path, 'r'));
  if (isRemoved) rmSync(path);
  onTestFinished(() => {
    for (const descriptor of open) closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
}

it('counts a file once however often it is open, and only without a name', async () => {
  const before = await heldBytes([process.pid, process.ppid], never);
  hold(1, { times: 3000 });
  hold(2);
  hold(4, { isRemoved: false });
  expect((await heldBytes([process.pid, process.ppid], never)) - before).toBe(3 * MEBIBYTE);
});

it('lets others go on meanwhile', async () => {
  hold(1, { times: 15_000 });
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  await heldBytes([process.pid], never);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(3);
});

it('is not said where there are too many', async () => {
  hold(1, { times: 30 });
  await expect(heldBytes([process.pid], never, 29)).rejects.toThrow('more than 29 removed files');
});

it('forgives processes that have ended, and knows nothing of none', async () => {
  expect(await heldBytes([], never)).toBe(0);
  expect(await heldBytes([2 ** 22 + 1], never)).toBe(0);
});

it('is not said when it takes too long', async () => {
  await expect(heldBytes([process.pid], AbortSignal.abort())).rejects.toThrow('too long');
});
