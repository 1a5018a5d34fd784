import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGitHost, type GitHost } from '../../testing/git-host.ts';
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

describe('openTree', () => {
  it('lists and reads the head without writing it out, and fetches only what is asked for', async () => {
    const big = 'x'.repeat(2 * 1024 * 1024);
    const sha = await host.createRepository('acme/tree', {
      'package.json': '{"name":"root"}',
      'apps/web/package.json': '{"name":"web"}',
      'apps/web/src/page.tsx': 'page',
      'big.txt': big,
      shared: { link: 'apps/web' },
      out: { link: '../etc/passwd' },
      gone: { link: 'nowhere' },
    });
    await using tree = await subject.sources.openTree(subject.repository('acme/tree'), 'main');
    expect(tree.commit).toEqual({ sha, message: 'First commit' });
    const before = host.requests.length;
    expect(await tree.list('')).toEqual([
      { name: 'apps', kind: 'folder' },
      { name: 'big.txt', kind: 'file' },
      { name: 'package.json', kind: 'file' },
      { name: 'shared', kind: 'folder' },
    ]);
    expect(await tree.list('shared')).toEqual([
      { name: 'package.json', kind: 'file' },
      { name: 'src', kind: 'folder' },
    ]);
    expect(await tree.list('nowhere')).toEqual([]);
    expect(await tree.list('../..')).toEqual([]);
    const texts = ['package.json', 'apps/web/package.json', 'shared/package.json'].map((path) => tree.read(path));
    expect(await Promise.all(texts)).toEqual(['{"name":"root"}', '{"name":"web"}', '{"name":"web"}']);
    expect(host.requests).toHaveLength(before);
    expect(await tree.read('apps/web/src/page.tsx')).toBe('page');
    expect(host.requests.length).toBeGreaterThan(before);
    expect(await tree.read('big.txt')).toBe(big.slice(0, 1024 * 1024));
    expect(await tree.read('package.json')).toBe('{"name":"root"}');
    for (const path of ['out', 'gone', 'apps', '', 'nowhere', '../package.json'])
      expect(await tree.read(path)).toBeNull();
  });

  it('leaves a mirror from which a check-out fetches only the rest', async () => {
    await host.createRepository('acme/both', { 'package.json': '{}', 'src/a.txt': 'a', 'src/b.txt': 'b' });
    await using tree = await subject.sources.openTree(subject.repository('acme/both'), 'main');
    expect(await tree.read('package.json')).toBe('{}');
    expect((await subject.checkOut('acme/both')).files).toEqual({
      'package.json': '{}',
      'src/a.txt': 'a',
      'src/b.txt': 'b',
    });
  });

  it('leaves a mirror from which a check-out of the next commit is whole, though it builds on files that never came', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${Math.sin(index)}`);
    await host.createRepository('acme/next', { 'package.json': '{}', 'src/a.txt': lines.join('\n'), 'src/b.txt': 'b' });
    await using tree = await subject.sources.openTree(subject.repository('acme/next'), 'main');
    expect(await tree.list('src')).toHaveLength(2);
    const changed = [...lines, 'one more'].join('\n');
    await host.commit('acme/next', { files: { 'src/a.txt': changed } });
    const { files } = await subject.checkOut('acme/next');
    expect(files).toEqual({ 'package.json': '{}', 'src/a.txt': changed, 'src/b.txt': 'b' });
    expect(await tree.read('src/b.txt')).toBe('b');
  });

  it('VA003 for a branch that is not there, naming some that are; VA001 for what no branch can be called', async () => {
    await host.createRepository('acme/branches', { 'a.txt': 'a' });
    const repository = subject.repository('acme/branches');
    await expect(subject.sources.openTree(repository, 'mian')).rejects.toMatchObject({
      code: 'VA003',
      message: 'acme/branches has no branch mian. It has main.',
    });
    for (const branch of ['-x', '--upload-pack=touch /tmp/x', 'a..b', 'a b', 'refs/heads/../x', 'x:y', 'HEAD', '']) {
      await expect(subject.sources.openTree(repository, branch)).rejects.toMatchObject({ code: 'VA001' });
      await expect(subject.sources.headOf(repository, branch)).rejects.toMatchObject({ code: 'VA001' });
      await expect(subject.checkOut(repository, branch)).rejects.toMatchObject({ code: 'VA001' });
    }
  });
});
