import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProcessIdentity } from '../../lib/process-identity.ts';
import { eventually } from '../../testing/eventually.ts';
import { startGitHost, type GitHost } from '../../testing/git-host.ts';
import { mirrorOf } from './mirror.ts';
import { createGitSubject, type GitSubject } from './testing/git-subject.ts';

let host: GitHost;
let subject: GitSubject;

beforeAll(async () => {
  host = await startGitHost();
  subject = createGitSubject(host);
});
afterAll(async () => {
  subject[Symbol.dispose]();
  await host[Symbol.asyncDispose]();
});

const EMPTY_PACK_BYTES = 32;

describe('headOf and listBranches', () => {
  it('say where branches are, names with slashes included, without making a mirror', async () => {
    const main = await host.createRepository('acme/heads', { 'a.txt': 'a' });
    const feature = await host.commit('acme/heads', { branch: 'feature/one/two', files: { 'b.txt': 'b' } });
    const repository = subject.repository('acme/heads');
    expect(await subject.sources.headOf(repository, 'feature/one/two')).toBe(feature);
    expect(await subject.sources.headOf(repository, 'main')).toBe(main);
    expect(await subject.sources.headOf(repository, 'two')).toBeNull();
    expect(await subject.sources.listBranches(repository)).toEqual([
      { name: 'feature/one/two', sha: feature },
      { name: 'main', sha: main },
    ]);
    expect(readdirSync(subject.root)).toEqual(['.home']);
  });

  it("ask through the machine's proxy, and directly where it is not wanted", async () => {
    const main = await host.createRepository('acme/proxied', { 'a.txt': 'a' });
    // Whoever serves by whole addresses can stand for a proxy.
    const elsewhere = { url: 'http://git.example.test' };
    using proxied = createGitSubject(elsewhere, { environment: { HTTP_PROXY: host.url } });
    expect(await proxied.sources.headOf(proxied.repository('acme/proxied'), 'main')).toBe(main);
    expect((await proxied.checkOut('acme/proxied')).files).toEqual({ 'a.txt': 'a' });
    expect(host.requests.at(-1)!.url).toMatch(/^http:\/\/git\.example\.test\/acme\/proxied\.git\//);
    using direct = createGitSubject(host, { environment: { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1' } });
    expect(await direct.sources.headOf(direct.repository('acme/proxied'), 'main')).toBe(main);
  });

  it('know an empty repository', async () => {
    await host.createRepository('acme/empty');
    const repository = subject.repository('acme/empty');
    expect(await subject.sources.listBranches(repository)).toEqual([]);
    expect(await subject.sources.headOf(repository, 'main')).toBeNull();
    await expect(subject.checkOut('acme/empty')).rejects.toMatchObject({
      code: 'VA003',
      message: 'acme/empty is empty: push a commit to the branch main first.',
    });
  });

  it('VA003 for a repository that is not there or private, saying what to do', async () => {
    await host.createRepository('acme/private', { 'a.txt': 'a' });
    host.requireCredential('acme/private', { username: 'someone', password: 'pa ss/wörd' });
    for (const name of ['acme/nowhere', 'acme/private']) {
      await expect(subject.sources.headOf(subject.repository(name), 'main')).rejects.toMatchObject({
        code: 'VA003',
        message: expect.stringMatching(
          `^${name} was not found at 127.0.0.1:\\d+, or it is private. Check the`,
        ) as string,
      });
    }
  });

  it('SV002 for a host that cannot be reached, VA003 for one that is not known', async () => {
    using elsewhere = createGitSubject({ url: 'http://127.0.0.1:9' });
    await expect(elsewhere.sources.listBranches(elsewhere.repository('a/b'))).rejects.toMatchObject({
      code: 'SV002',
      message: 'The host 127.0.0.1:9 cannot be reached. Check the address, or try again in a moment.',
    });
    using nowhere = createGitSubject({ url: 'https://nowhere.invalid' });
    await expect(nowhere.sources.listBranches(nowhere.repository('a/b'))).rejects.toMatchObject({
      code: 'VA003',
      message: expect.stringContaining('its name does not resolve') as string,
    });
  });
});

describe('a credential', () => {
  it('opens a private repository, and is written nowhere and part of no message', async () => {
    const credential = { username: 'x-access-token', password: 'sesame/öffne+dich' };
    await host.createRepository('acme/vault', { 'a.txt': 'secret' });
    host.requireCredential('acme/vault', credential);
    const repository = { ...subject.repository('acme/vault'), credential };
    expect((await subject.checkOut(repository)).files).toEqual({ 'a.txt': 'secret' });
    const encoded = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
    expect(grep(subject.root, [credential.password, encoded])).toEqual([]);
    const wrong = { ...repository, credential: { ...credential, password: 'guessed-wrongly' } };
    const error: unknown = await subject.checkOut(wrong).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'VA003' });
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('guessed-wrongly');
  });
});

describe('checkOut', () => {
  it('writes the files of the head without .git: modes, links, empty files, odd names', async () => {
    const files = {
      'package.json': '{}',
      'bin/run': { program: '#!/bin/sh\n' },
      'src/+page.svelte': 'x',
      'with space/ünï©ode.txt': 'y',
      empty: '',
      docs: { link: 'src' },
      'crlf.txt': 'a\r\nb\r\n',
    };
    const sha = await host.createRepository('acme/site', files);
    const out = await subject.checkOut('acme/site');
    expect(out.commit).toEqual({ sha, message: 'First commit' });
    expect(out.files).toEqual({
      'package.json': '{}',
      'bin/run': '#!/bin/sh\n',
      'src/+page.svelte': 'x',
      'with space/ünï©ode.txt': 'y',
      empty: '',
      docs: '-> src',
      'crlf.txt': 'a\r\nb\r\n',
    });
    expect(statSync(join(out.folder, 'bin/run')).mode & 0o111).toBe(0o111);
    expect(statSync(join(out.folder, 'package.json')).mode & 0o111).toBe(0);
    const expected = ['acme/site, branch main', `Commit ${sha.slice(0, 10)}: First commit`, '7 files, 23 bytes'];
    expect(out.lines).toEqual(expected);
  });

  it('follows a branch: new commits, a force-push, its end', async () => {
    await host.createRepository('acme/moving', { 'a.txt': '1', 'b.txt': 'b' });
    await subject.checkOut('acme/moving');
    const message = 'Grüße\n\nWith a body.';
    const next = await host.commit('acme/moving', { files: { 'a.txt': '2', 'b.txt': null }, message });
    expect(await subject.checkOut('acme/moving')).toMatchObject({
      commit: { sha: next, message },
      files: { 'a.txt': '2' },
    });
    const forced = await host.commit('acme/moving', { files: { 'c.txt': '3' }, isForced: true });
    expect(await subject.checkOut('acme/moving')).toMatchObject({ commit: { sha: forced }, files: { 'c.txt': '3' } });
    await host.commit('acme/moving', { branch: 'develop', files: {} });
    await host.deleteBranch('acme/moving', 'main');
    await expect(subject.checkOut('acme/moving')).rejects.toMatchObject({
      code: 'VA003',
      message: 'acme/moving has no branch main. It has develop.',
    });
  });

  it('keeps branches apart whose names would be file and folder of one another', async () => {
    await host.createRepository('acme/slashes', { 'a.txt': 'main' });
    await host.commit('acme/slashes', { branch: 'feature', files: { 'a.txt': 'feature' } });
    expect((await subject.checkOut('acme/slashes', 'feature')).files).toEqual({ 'a.txt': 'feature' });
    await host.deleteBranch('acme/slashes', 'feature');
    await host.commit('acme/slashes', { branch: 'feature/x', files: { 'a.txt': 'feature/x' } });
    expect((await subject.checkOut('acme/slashes', 'feature/x')).files).toEqual({ 'a.txt': 'feature/x' });
  });

  it('says which folders are submodules and which files are kept in LFS, and fetches neither', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`;
    const gitmodules = `[submodule "lib"]\n\tpath = lib\n\turl = ${host.url}/acme/site\n`;
    const files = { '.gitattributes': '*.bin filter=lfs diff=lfs\n', 'a.bin': pointer, '.gitmodules': gitmodules };
    const sha = await host.createRepository('acme/modules', files);
    await host.git('acme/modules', ['read-tree', 'main']);
    await host.git('acme/modules', ['update-index', '--add', '--cacheinfo', `160000,${sha},lib`]);
    const tree = await host.git('acme/modules', ['write-tree']);
    const commit = await host.git('acme/modules', [
      '-c',
      'user.name=t',
      '-c',
      'user.email=t@e',
      'commit-tree',
      '-m',
      'x',
      tree,
    ]);
    await host.git('acme/modules', ['update-ref', 'refs/heads/main', commit]);
    const out = await subject.checkOut('acme/modules');
    expect(out.files['a.bin']).toBe(pointer);
    expect(readdirSync(join(out.folder, 'lib'))).toEqual([]);
    expect(out.lines).toContain('Submodules are not fetched; these folders are empty: lib.');
    expect(out.lines.at(-1)).toMatch(/^Files kept in Git LFS are not fetched; .*: a\.bin\.$/);
  });

  it('works with a host that knows neither filters nor protocol version 2', async () => {
    await using plain = await startGitHost({ gives: 'all at once' });
    using other = createGitSubject(plain);
    await plain.createRepository('acme/plain', { 'package.json': '{"name":"x"}', 'b.txt': 'b' });
    await using tree = await other.sources.openTree(other.repository('acme/plain'), 'main');
    expect(await tree.read('b.txt')).toBe('b');
    await plain.commit('acme/plain', { files: { 'b.txt': 'c' } });
    expect((await other.checkOut('acme/plain')).files).toEqual({ 'package.json': '{"name":"x"}', 'b.txt': 'c' });
  });

  it('works with a host that leaves files out and then does not give them', async () => {
    await using stingy = await startGitHost({ gives: 'nothing later' });
    using other = createGitSubject(stingy);
    await stingy.createRepository('acme/stingy', { 'package.json': '{}', 'b.txt': 'b' });
    await using tree = await other.sources.openTree(other.repository('acme/stingy'), 'main');
    expect([await tree.read('package.json'), await tree.read('b.txt')]).toEqual(['{}', 'b']);
    expect((await other.checkOut('acme/stingy')).files).toEqual({ 'package.json': '{}', 'b.txt': 'b' });
  });

  it('writes 5,000 files, and fetches nothing the second time', async () => {
    const paths = Array.from({ length: 5000 }, (_, index) => `folder-${index % 100}/file-${index}.txt`);
    await host.createRepository('acme/large', Object.fromEntries(paths.map((path) => [path, `content of ${path}`])));
    const first = await subject.checkOut('acme/large');
    expect(Object.keys(first.files)).toHaveLength(5000);
    const { gitDir } = mirrorOf(subject.root, subject.repository('acme/large').url);
    // A host that has nothing new answers with a pack of nothing, which git keeps.
    const packs = () =>
      readdirSync(join(gitDir, 'objects/pack')).filter(
        (name) => name.endsWith('.pack') && statSync(join(gitDir, 'objects/pack', name)).size > EMPTY_PACK_BYTES,
      );
    const before = packs();
    const second = await subject.checkOut('acme/large');
    expect(second.files).toEqual(first.files);
    expect(before).toHaveLength(1);
    expect(packs()).toEqual(before);
  });

  it('ends at once when it is no longer wanted', async () => {
    await using slow = await startGitHost();
    using other = createGitSubject(slow);
    const asked = Promise.withResolvers<void>();
    slow.intercept(() => {
      asked.resolve();
      return true;
    });
    const controller = new AbortController();
    const options = { branch: 'main', folder: other.folder, signal: controller.signal, onLine: () => {} };
    const running = other.sources.checkOut(other.repository('acme/never'), options);
    await asked.promise;
    const { fetcherFile } = mirrorOf(other.root, other.repository('acme/never').url);
    const { pid } = JSON.parse(readFileSync(fetcherFile, 'utf8')) as ProcessIdentity;
    expect(groupOf(pid)).not.toEqual([]);
    controller.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    await eventually('git and all it started are gone', () => groupOf(pid).length === 0);
  });
});

/** Files below the folder that hold one of the texts. */
function grep(folder: string, texts: string[]): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  const files = paths.filter((path) => statSync(path).isFile());
  return files.filter((path) => texts.some((text) => readFileSync(path).includes(text)));
}

/** The processes of a group; those that ended and were not yet collected do not count. */
function groupOf(group: number): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
    const [state, , owner] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return owner === String(group) && state !== 'Z';
  });
}
