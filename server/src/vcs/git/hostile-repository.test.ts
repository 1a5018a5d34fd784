import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGitHost, type GitHost } from '../../testing/git-host.ts';
import type { TestFiles } from '../../testing/git-import.ts';
import { mirrorOf } from './mirror.ts';
import { createGitSubject, readFolder, type GitSubject } from './testing/git-subject.ts';

let host: GitHost;
let subject: GitSubject;
let witness: string;

beforeAll(async () => {
  host = await startGitHost();
});
beforeEach(() => {
  subject = createGitSubject(host);
  witness = join(subject.folder, 'executed');
  return () => subject[Symbol.dispose]();
});
afterAll(() => host[Symbol.asyncDispose]());

describe('a tree that is not what it should be', () => {
  it.each([
    ['/etc/passwd', { a: { link: '/etc/passwd' } }],
    ['../x', { a: { link: '../x' } }],
    ['deep/../../../x', { a: { link: 'deep/../../../x' }, 'deep/b': '' }],
    ['far/../..', { a: { link: 'far/../..' }, far: { link: 'one' }, 'one/two': '' }],
  ])('a link to %s is refused, and nothing is written', async (target, files) => {
    await host.createRepository('evil/links', { ...files, 'index.html': 'x' });
    const error = await failureOf(subject.checkOut('evil/links'));
    expect(error).toMatchObject({ code: 'VA003', message: expect.stringContaining(`(to "${target}")`) as string });
    await using tree = await subject.sources.openTree(subject.repository('evil/links'), 'main');
    expect(await tree.read('a')).toBeNull();
    expect((await tree.list('')).map(({ name }) => name)).not.toContain('a');
  });

  it('a link that only looks as if it left is followed', async () => {
    const files = {
      near: { link: 'one/two' },
      a: { link: 'near/../../index.html' },
      'one/two/x': '',
      'index.html': 'x',
    };
    await host.createRepository('good/links', files);
    expect((await subject.checkOut('good/links')).files['a']).toBe('-> near/../../index.html');
    await using tree = await subject.sources.openTree(subject.repository('good/links'), 'main');
    expect(await tree.read('a')).toBe('x');
  });

  it.each(['.git', '.GIT', '..', '.', 'a/b', '../../escaped', '.git/hooks/post-checkout'])(
    'the name %s is refused',
    async (name) => {
      await host.createRepository('evil/names', { 'index.html': 'x' });
      const blob = await host.git('evil/names', ['hash-object', '-w', '--stdin'], 'evil');
      await commitRawTree('evil/names', [{ mode: '100644', name, id: blob }]);
      const refusal = { code: 'VA003', message: expect.stringContaining('may not be written') as string };
      expect(await failureOf(subject.checkOut('evil/names'))).toMatchObject(refusal);
      const opened = subject.sources.openTree(subject.repository('evil/names'), 'main');
      expect(await failureOf(opened)).toMatchObject(refusal);
      expect(existsSync(join(subject.folder, 'escaped'))).toBe(false);
    },
  );

  it('a link and a folder of one name cannot be used to write elsewhere', async () => {
    await host.createRepository('evil/twins', { 'index.html': 'x' });
    const outside = join(subject.folder, 'outside');
    mkdirSync(outside);
    const link = await host.git('evil/twins', ['hash-object', '-w', '--stdin'], outside);
    const blob = await host.git('evil/twins', ['hash-object', '-w', '--stdin'], 'evil');
    const inner = await writeRawTree('evil/twins', [{ mode: '100644', name: 'x', id: blob }]);
    await commitRawTree('evil/twins', [
      { mode: '120000', name: 'a', id: link },
      { mode: '40000', name: 'a', id: inner },
    ]);
    expect(await failureOf(subject.checkOut('evil/twins'))).toMatchObject({ code: 'VA003' });
    expect(readFolder(outside)).toEqual({});
  });

  it('a few objects that unfold into millions of files are refused', async () => {
    await host.createRepository('evil/bomb', { 'index.html': 'x' });
    let id = await host.git('evil/bomb', ['hash-object', '-w', '--stdin'], 'x');
    let mode = '100644';
    for (let level = 0; level < 7; level += 1) {
      const entries = Array.from('abcdefghij', (name) => ({ mode, name, id }));
      id = await writeRawTree('evil/bomb', entries);
      mode = '40000';
    }
    await commitTree('evil/bomb', id);
    expect(await failureOf(subject.checkOut('evil/bomb'))).toMatchObject({
      code: 'VA003',
      message: 'evil/bomb has more than 100,000 files and folders, which is more than can be deployed.',
    });
  });

  it('a few objects that unfold into more folders than files may be, with or without a file in them, are refused', async () => {
    await host.createRepository('evil/folders', { 'index.html': 'x' });
    const blob = await host.git('evil/folders', ['hash-object', '-w', '--stdin'], 'x');
    for (const innermost of [[{ mode: '100644', name: 'f', id: blob }], []]) {
      let id = await writeRawTree('evil/folders', innermost);
      for (let level = 0; level < 200; level += 1) {
        id = await writeRawTree('evil/folders', [{ mode: '40000', name: 'a', id }]);
      }
      const names = Array.from({ length: 600 }, (_, index) => String(index)).toSorted();
      await commitRawTree(
        'evil/folders',
        names.map((name) => ({ mode: '40000', name, id })),
      );
      expect(await failureOf(subject.checkOut('evil/folders'))).toMatchObject({
        code: 'VA003',
        message: expect.stringContaining('more than 100,000 files and folders') as string,
      });
    }
  });

  it('folders more than 255 levels deep are refused', async () => {
    await host.createRepository('evil/deep', { [`${'a/'.repeat(255)}f`]: 'x' });
    expect(await failureOf(subject.checkOut('evil/deep'))).toMatchObject({
      code: 'VA003',
      message: 'evil/deep has folders more than 255 levels deep, which cannot be deployed.',
    });
  });

  it('thousands of links that lead through long ones are followed, each once', async () => {
    const links: TestFiles = { c38: 'x' };
    for (let index = 0; index < 38; index += 1) links[`c${index}`] = { link: `${'./'.repeat(2000)}c${index + 1}` };
    for (let index = 0; index < 900; index += 1) links[`x${index}`] = { link: 'c0' };
    await host.createRepository('evil/chain', links);
    expect((await subject.checkOut('evil/chain')).files['x899']).toBe('-> c0');
    await using tree = await subject.sources.openTree(subject.repository('evil/chain'), 'main');
    expect(await tree.list('')).toHaveLength(939);
    expect(await tree.read('x899')).toBe('x');
  });

  it('links that would take for ever to follow are refused', async () => {
    const folder = 'a/'.repeat(250);
    const links: TestFiles = { [`${folder}f`]: 'x' };
    for (let index = 0; index < 600; index += 1) links[`x${index}`] = { link: `${folder}f` };
    await host.createRepository('evil/tangle', links);
    const refusal = {
      code: 'VA003',
      message: 'The links in evil/tangle are too tangled to be followed. Replace them by what they lead to.',
    };
    expect(await failureOf(subject.checkOut('evil/tangle'))).toMatchObject(refusal);
    expect(await failureOf(subject.sources.openTree(subject.repository('evil/tangle'), 'main'))).toMatchObject(refusal);
  });

  it('a small object that unfolds into more than a gibibyte is refused, and nothing is written', async () => {
    await host.createRepository('evil/size', { 'index.html': 'x' });
    const id = await host.git('evil/size', ['hash-object', '-w', '--stdin'], Buffer.alloc(11 * 1024 * 1024));
    const names = Array.from({ length: 100 }, (_, index) => String(index)).toSorted();
    await commitRawTree(
      'evil/size',
      names.map((name) => ({ mode: '100644', name, id })),
    );
    expect(await failureOf(subject.checkOut('evil/size'))).toMatchObject({
      code: 'VA003',
      message: 'The files of evil/size have 1.1 GiB; more than 1 GiB cannot be deployed.',
    });
  });
});

describe('what a repository may not have run', () => {
  it('filters of its attributes, and settings it brings', async () => {
    const run = `[filter "evil"]\n\tsmudge = touch ${witness}\n\tprocess = touch ${witness}\n`;
    await host.createRepository('evil/filters', {
      '.gitattributes': '* filter=evil diff=evil merge=evil\n',
      '.gitconfig': run,
      '.lfsconfig': '[lfs]\n\turl = http://127.0.0.1:9/\n',
      config: run,
      'a.txt': 'as it was',
    });
    expect((await subject.checkOut('evil/filters')).files['a.txt']).toBe('as it was');
    expect(existsSync(witness)).toBe(false);
  });

  it('submodules, whatever their address says', async () => {
    const gitmodules = `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch ${witness}"\n\tupdate = !touch ${witness}\n`;
    await host.createRepository('evil/submodules', { '.gitmodules': gitmodules, 'a.txt': 'a' });
    const tree = await host.git('evil/submodules', ['rev-parse', 'main^{tree}']);
    const listing = await host.git('evil/submodules', ['ls-tree', tree]);
    const module = `160000 commit ${'1'.repeat(40)}\tx`;
    await commitTree(
      'evil/submodules',
      await host.git('evil/submodules', ['mktree', '--missing'], `${listing}\n${module}\n`),
    );
    expect(Object.keys((await subject.checkOut('evil/submodules')).files)).toEqual(['.gitmodules', 'a.txt']);
    expect(existsSync(witness)).toBe(false);
  });

  it('hooks, even ones that came to lie in the mirror', async () => {
    await host.createRepository('evil/hooks', { 'hooks/post-checkout': { program: `#!/bin/sh\ntouch ${witness}\n` } });
    await subject.checkOut('evil/hooks');
    const hooks = join(mirrorOf(subject.root, subject.repository('evil/hooks').url).gitDir, 'hooks');
    mkdirSync(hooks, { recursive: true });
    for (const name of ['reference-transaction', 'post-checkout', 'post-index-change', 'post-merge']) {
      writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${witness}\n`, { mode: 0o755 });
    }
    await host.commit('evil/hooks', { files: { 'a.txt': 'a' } });
    await subject.checkOut('evil/hooks');
    expect(existsSync(witness)).toBe(false);
  });
});

interface RawEntry {
  mode: string;
  name: string;
  id: string;
}

/** Trees that no friendly program would write. */
function writeRawTree(name: string, entries: readonly RawEntry[]): Promise<string> {
  const bytes = entries.map(({ mode, name: file, id }) => [Buffer.from(`${mode} ${file}\0`), Buffer.from(id, 'hex')]);
  return host.git(name, ['hash-object', '-t', 'tree', '--literally', '-w', '--stdin'], Buffer.concat(bytes.flat()));
}

async function commitRawTree(name: string, entries: readonly RawEntry[]): Promise<void> {
  await commitTree(name, await writeRawTree(name, entries));
}

async function commitTree(name: string, tree: string): Promise<void> {
  const text = `tree ${tree}\nauthor t <t@e> 1700000000 +0000\ncommitter t <t@e> 1700000000 +0000\n\nevil\n`;
  const commit = await host.git(name, ['hash-object', '-t', 'commit', '--literally', '-w', '--stdin'], text);
  await host.git(name, ['update-ref', 'refs/heads/main', commit]);
}

async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
}
