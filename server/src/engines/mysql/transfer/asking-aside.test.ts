import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { openAskingAside } from './asking-aside.ts';

it('a socket is gone as soon as its client has come, however long the path to it is', async () => {
  const home = mkdtempSync(join(tmpdir(), 'lilac-aside-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const runFolder = join(home, 'x'.repeat(110), 'run');
  mkdirSync(runFolder, { recursive: true });
  await using aside = await openAskingAside(home, { runFolder, change: (text) => text });
  expect(readdirSync(aside.folder)).toEqual([aside.socketName]);
  const before = process.cwd();
  process.chdir(aside.folder);
  const client = connect(aside.socketName);
  process.chdir(before);
  client.on('error', () => {});
  await once(client, 'connect');
  await eventually('the folder is gone', () => readdirSync(runFolder).length === 0);
  client.destroy();
});

it('a socket that nobody came to goes with whoever made it', async () => {
  const runFolder = mkdtempSync(join(tmpdir(), 'lilac-aside-'));
  onTestFinished(() => rmSync(runFolder, { recursive: true, force: true }));
  {
    await using aside = await openAskingAside(runFolder, { runFolder, change: (text) => text });
    expect(readdirSync(runFolder)).toHaveLength(1);
    expect(aside.failure()).toBeNull();
  }
  expect(readdirSync(runFolder)).toEqual([]);
});
