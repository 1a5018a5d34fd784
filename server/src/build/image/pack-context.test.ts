import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../../lib/exec.ts';
import { eventually } from '../../testing/eventually.ts';
import { packContext } from './pack-context.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** What the engine would find, as `tar` lists it. */
async function contextOf(files: Record<string, string>, links: Record<string, string> = {}): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'lilac-context-'));
  folders.push(root);
  const source = join(root, 'source');
  for (const [name, text] of Object.entries({ 'project/x': '', ...files })) {
    mkdirSync(dirname(join(source, name)), { recursive: true });
    writeFileSync(join(source, name), text, { mode: 0o600 });
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(source, name));
  const { signal } = new AbortController();
  const packed = await packContext({
    source,
    rootDirectory: 'project',
    dockerfile: 'FROM scratch\n',
    staging: root,
    signal,
  });
  // Whoever reads it may come late: tar has ended long ago then.
  await eventually('tar has ended', async () => (packed as PassThrough).writableEnded);
  const archive = join(root, 'context.tar');
  writeFileSync(archive, await buffer(packed));
  const { stdout } = await run(['tar', '--list', '--verbose', '--file', archive], {
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.replace(/^(\S+)\s+(\S+)\s+\d+\s+\S+\s+\S+\s+/, '$1 $2 '));
}

describe('what a Dockerfile may take files from', () => {
  it('is the project, without what .dockerignore names', async () => {
    const names = await contextOf({
      'outside.txt': '',
      'project/.dockerignore': '# no\nnode_modules\n**/*.log\n!keep.log\nsecret\n',
      'project/app.js': '',
      'project/-rf': '',
      'project/a\nb': '',
      'project/deep/er/trace.log': '',
      'project/keep.log': '',
      'project/node_modules/x/index.js': '',
      'project/secret/key': '',
    });
    expect(names.toSorted()).toEqual([
      '-rw-r--r-- 0/0 ./-rf',
      '-rw-r--r-- 0/0 ./a\\nb',
      '-rw-r--r-- 0/0 ./app.js',
      '-rw-r--r-- 0/0 ./keep.log',
      '-rw-r--r-- 0/0 ./x',
      '-rw-r--r-- 0/0 .dockerignore',
      '-rw-r--r-- 0/0 .lilac.dockerfile',
      'drwxr-xr-x 0/0 ./deep/',
      'drwxr-xr-x 0/0 ./deep/er/',
    ]);
  });

  it('is not looked at where .dockerignore is no text of a person', async () => {
    await expect(contextOf({ 'project/.dockerignore': '#'.repeat(200_000) })).rejects.toThrow(/larger than 128 KiB/);
    await expect(contextOf({ 'project/.dockerignore': '[' })).rejects.toThrow(/Line 1 of the \.dockerignore/);
  });

  it('has links as links: nothing outside the project is read for it', async () => {
    const names = await contextOf(
      {},
      { 'project/passwd': '/etc/passwd', 'project/up': '..', 'project/.dockerignore': '/etc/passwd' },
    );
    const links = names.filter((line) => line.startsWith('l')).map((line) => line.replace(/^.* \.\//, ''));
    expect(links.toSorted()).toEqual(['passwd -> /etc/passwd', 'up -> ..']);
  });
});
