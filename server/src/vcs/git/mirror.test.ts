import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { start } from '../../lib/exec.ts';
import { isAlive, type ProcessIdentity } from '../../lib/process-identity.ts';
import { eventually } from '../../testing/eventually.ts';
import { startGitHost } from '../../testing/git-host.ts';
import { mirrorOf } from './mirror.ts';
import { sweepLimits, sweepMirrors } from './sweep-mirrors.ts';
import { createGitSubject, readFolder, type GitSubject } from './testing/git-subject.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('a mirror', () => {
  it('is not left locked or broken by a process that is killed in the middle of a fetch', async () => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    const sha = await host.createRepository('acme/site', { 'a.txt': 'a' });
    const mirror = mirrorOf(subject.root, subject.repository('acme/site').url);
    host.intercept(({ method }) => method === 'POST');
    const { child } = startCheckOut(subject, { host: host.url, name: 'acme/site' });
    await eventually('git waits for the host', () => host.requests.some(({ method }) => method === 'POST'));
    const fetcher = JSON.parse(readFileSync(mirror.fetcherFile, 'utf8')) as ProcessIdentity;
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(isAlive(fetcher)).toBe(true);
    writeFileSync(join(mirror.gitDir, 'shallow.lock'), '');
    host.intercept(() => false);
    expect((await subject.checkOut('acme/site')).commit.sha).toBe(sha);
    expect(isAlive(fetcher)).toBe(false);
    expect(readdirSync(subject.root).toSorted()).toEqual(['.home', `${mirror.gitDir.split('/').at(-1)}`]);
  });

  it('is not made for a repository or a branch that is not there', async () => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    await host.createRepository('acme/site', { 'a.txt': 'a' });
    const open = (name: string, branch: string) => subject.sources.openTree(subject.repository(name), branch);
    await expect(open('acme/none', 'main')).rejects.toMatchObject({ code: 'VA003' });
    await expect(open('acme/site', 'none')).rejects.toMatchObject({ code: 'VA003' });
    expect(readdirSync(subject.root)).toEqual(['.home']);
    await (await open('acme/site', 'main'))[Symbol.asyncDispose]();
    await expect(open('acme/site', 'none')).rejects.toMatchObject({ code: 'VA003' });
    expect(readdirSync(subject.root)).toHaveLength(2);
  });

  it('serves several processes at a time', async () => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    const paths = Array.from({ length: 300 }, (_, index) => `file-${index}.txt`);
    const sha = await host.createRepository('acme/busy', Object.fromEntries(paths.map((path) => [path, path])));
    const others = [1, 2].map(() => startCheckOut(subject, { host: host.url, name: 'acme/busy' }));
    const own = await Promise.all([subject.checkOut('acme/busy'), subject.checkOut('acme/busy')]);
    for (const { commit, files } of own) expect([commit.sha, Object.keys(files).length]).toEqual([sha, 300]);
    for (const { output, folder } of others) {
      expect(await output).toBe(sha);
      expect(readFolder(folder)).toEqual(own[0].files);
    }
  });

  it.each(['objects/pack', 'HEAD', 'config'])('whose %s is damaged is dropped and fetched again', async (part) => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    const sha = await host.createRepository('acme/site', { 'a.txt': 'a', 'package.json': '{}' });
    await subject.checkOut('acme/site');
    const { gitDir } = mirrorOf(subject.root, subject.repository('acme/site').url);
    const path = join(gitDir, part);
    if (part === 'objects/pack') {
      for (const name of readdirSync(path)) truncateSync(join(path, name), 20);
    } else writeFileSync(path, '[nonsense');
    expect(await subject.checkOut('acme/site')).toMatchObject({ commit: { sha }, files: { 'a.txt': 'a' } });
    await using tree = await subject.sources.openTree(subject.repository('acme/site'), 'main');
    expect(await tree.read('package.json')).toBe('{}');
  });

  it('is swept when nothing has used it for two weeks, or when all are too large together; never while in use', async () => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    for (const name of ['acme/old', 'acme/recent', 'acme/new']) {
      await host.createRepository(name, { 'a.txt': name });
      await subject.checkOut(name);
    }
    const folderOf = (name: string) => mirrorOf(subject.root, subject.repository(name).url).gitDir;
    const age = (name: string, ms: number) => utimesSync(folderOf(name), new Date(), new Date(Date.now() - ms));
    const remaining = () => ['acme/old', 'acme/recent', 'acme/new'].filter((name) => existsSync(folderOf(name)));
    age('acme/old', 15 * DAY_MS);
    age('acme/recent', 13 * DAY_MS);
    await subject.sources.sweep();
    expect(remaining()).toEqual(['acme/recent', 'acme/new']);
    await sweepMirrors(subject.root, { ...sweepLimits, maxPacks: 1 });
    expect(remaining()).toEqual(['acme/recent', 'acme/new']);
    await sweepMirrors(subject.root, { ...sweepLimits, maxTotalBytes: 1 });
    expect(remaining()).toEqual(['acme/new']);
    expect((await subject.checkOut('acme/old')).files).toEqual({ 'a.txt': 'acme/old' });
  });
});

function startCheckOut(subject: GitSubject, { host, name }: { host: string; name: string }) {
  const folder = mkdtempSync(join(subject.folder, 'other-'));
  const program = join(import.meta.dirname, 'testing', 'check-out-program.ts');
  const child = start([process.execPath, program, host, name, subject.root, folder], {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, folder, output: text(child.stdout!) };
}
