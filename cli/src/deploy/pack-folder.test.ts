import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFiles } from './list-files.ts';
import { packFolder } from './pack-folder.ts';

let root: string;
beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'lilac-pack-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Record<string, string>, below = root): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(below, path)), { recursive: true });
    writeFileSync(join(below, path), text);
  }
}

const pathsOf = (folder = root) => listFiles(folder).files.map(({ path }) => path);

describe('listFiles', () => {
  it('honours .gitignore at every level, the innermost rule first, and goes into no folder that is left out', () => {
    write({
      '.gitignore': '# built\n*.log\n/dist/\nbuild/\n',
      'index.html': '',
      'a.log': '',
      'dist/x.js': '',
      'src/dist/x.js': '',
      'src/.gitignore': '!keep.log\n/secret.txt\n',
      'src/keep.log': '',
      'src/other.log': '',
      'src/secret.txt': '',
      'src/deep/secret.txt': '',
      'src/build/.gitignore': '!x.js',
      'src/build/x.js': '',
      'lib/.gitignore': '!build/\n',
      'lib/build/x.js': '',
    });
    expect(pathsOf()).toEqual([
      '.gitignore',
      'index.html',
      'lib/.gitignore',
      'lib/build/x.js',
      'src/.gitignore',
      'src/deep/secret.txt',
      'src/dist/x.js',
      'src/keep.log',
    ]);
  });

  it('lets .lilacignore leave out more, and bring back what git leaves out', () => {
    write({
      '.gitignore': 'dist\n',
      '.lilacignore': '!dist\ndocs/\n',
      'dist/index.html': '',
      'docs/a.md': '',
      'index.html': '',
    });
    expect(pathsOf()).toEqual(['.gitignore', 'dist/index.html', 'index.html']);
  });

  it('honours what the repository says above, but not where it leaves out the very folder that is named', () => {
    mkdirSync(join(root, '.git'));
    write({
      '.gitignore': '*.log\n/dist\n',
      'web/index.html': '',
      'web/a.log': '',
      'dist/index.html': '',
      'dist/b.log': '',
    });
    expect(pathsOf(join(root, 'web'))).toEqual(['index.html']);
    expect(pathsOf(join(root, 'dist'))).toEqual(['b.log', 'index.html']);
  });

  it('always leaves out .git, node_modules, its own files and secrets, and names the secrets', () => {
    write({
      '.git/config': '',
      'node_modules/a/index.js': '',
      'web/node_modules/b.js': '',
      '.venv/lib/a.py': '',
      'web/__pycache__/a.pyc': '',
      'lilac.json': '{}',
      'web/lilac.json': '{}',
      '.env': 'A=1',
      '.env.example': 'A=',
      'web/.env.production': 'A=1',
      '.environment': '',
      'index.html': '',
    });
    const { secrets } = listFiles(root);
    expect(secrets).toEqual(['.env', 'web/.env.production']);
    expect(pathsOf()).toEqual(['.env.example', '.environment', 'index.html', 'web/lilac.json']);
    write({ '.lilacignore': '!web/.env.production' });
    expect(pathsOf()).toContain('web/.env.production');
  });

  it('leaves out what "lilac env pull" writes and keys of the person, unless .lilacignore takes them in', () => {
    write({
      'prod.env': 'A=1',
      'web/Prod.ENV': 'A=1',
      'example.env': 'A=',
      '.envrc': 'export A=1',
      '.netrc': '',
      '.ssh/config': '',
      '.aws/credentials': '',
      'deploy/id_ed25519': '',
      'index.html': '',
    });
    const all = ['.aws/', '.envrc', '.netrc', '.ssh/', 'deploy/id_ed25519', 'prod.env', 'web/Prod.ENV'];
    expect(listFiles(root).secrets).toEqual(all);
    expect(pathsOf()).toEqual(['example.env', 'index.html']);
    write({ '.lilacignore': '!prod.env\n!.aws/' });
    expect(pathsOf()).toEqual(['.aws/credentials', 'example.env', 'index.html', 'prod.env']);
  });

  it.each(['!dist/**', '!dist/*', '!dist/.*', '!**/*.*', '!dist/[.a-z]*'])(
    'takes no secret in by %s, which names none',
    (pattern) => {
      write({ '.lilacignore': `*\n!index.html\n!dist/\n${pattern}\n`, 'dist/.env': 'A=1', 'index.html': '' });
      expect(listFiles(root).secrets).toEqual(['dist/.env']);
      write({ '.lilacignore': `*\n!index.html\n!dist/\n${pattern}\n!dist/.env\n` });
      expect(pathsOf()).toContain('dist/.env');
    },
  );

  it('leaves out private keys, by name and by what they begin with, and keeps what is public', () => {
    const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END OPENSSH PRIVATE KEY-----\n`;
    const certificate = `-----BEGIN CERTIFICATE-----\n${'B'.repeat(64)}\n-----END CERTIFICATE-----\n`;
    const secret = {
      '.dev.vars': '',
      '.env~': '',
      '.git-credentials': '',
      '.kube/config': '',
      '.pgpass': '',
      'certs/both.pem': certificate + key,
      'certs/server.key': '',
      deploy: `\uFEFF\n${key}`,
      'infra/terraform.tfstate': '',
      'keys/id_dsa': '',
      'keys/pgp.asc': key.replaceAll('OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'),
    };
    const open = { 'certs/chain.pem': certificate, 'docs/keys.md': `# Keys\n${key}`, 'index.html': '' };
    write({ ...secret, ...open });
    expect(listFiles(root).secrets).toEqual(Object.keys(secret).toSorted());
    expect(pathsOf()).toEqual(Object.keys(open));
    write({ '.lilacignore': '!certs/server.key\n!deploy' });
    expect(pathsOf()).toEqual(['certs/chain.pem', 'certs/server.key', 'deploy', 'docs/keys.md', 'index.html']);
  });

  it('refuses links that lead out, and keeps the others as links', () => {
    write({ 'a/b.txt': 'x' });
    symlinkSync('../a/b.txt', join(root, 'a/inside'));
    symlinkSync('a', join(root, 'folder'));
    expect(listFiles(root).files).toContainEqual({ path: 'folder', target: 'a' });
    for (const target of ['/etc/passwd', '../../x', '../a/../../x', '../..', 'b/../../../x']) {
      rmSync(join(root, 'a/out'), { force: true });
      symlinkSync(target, join(root, 'a/out'));
      expect(() => listFiles(root)).toThrow('outside of the folder');
    }
  });

  it('refuses a folder with nothing in it, one that is not there, and a file', () => {
    write({ '.env': 'A=1' });
    expect(() => listFiles(root)).toThrow('nothing to deploy');
    expect(() => listFiles(join(root, 'none'))).toThrow('There is no folder');
    expect(() => listFiles(join(root, '.env'))).toThrow('is no folder');
  });

  it('leaves out sockets and pipes, and refuses names that a zip cannot hold', async () => {
    write({ 'index.html': '' });
    const server = createServer().listen(join(root, 'a.sock'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(listFiles(root).odd).toEqual(['a.sock']);
    server.close();
    write({ 'a\\b': '' });
    expect(() => listFiles(root)).toThrow('rename it');
  });
});

async function packed(): Promise<Buffer> {
  await using archive = await packFolder(listFiles(root));
  const read = async () => {
    const pieces: Buffer[] = [];
    for await (const piece of archive.stream() as AsyncIterable<Uint8Array>) pieces.push(Buffer.from(piece));
    return pieces;
  };
  const bytes = Buffer.concat(await read());
  expect(bytes.length).toBe(archive.size);
  // It can be read again from the start.
  expect(Buffer.concat(await read())).toEqual(bytes);
  return bytes;
}

const left = () => readdirSync(tmpdir()).filter((name) => /^lilac-.*\.zip$/.test(name));

describe('packFolder', () => {
  it('gives the same bytes for the same files, whatever their times and the order they came in', async () => {
    write({ 'ä/ü.txt': 'x'.repeat(10_000), '日本.html': 'y', run: '#!/bin/sh' });
    chmodSync(join(root, 'run'), 0o750);
    const first = await packed();
    rmSync(root, { recursive: true });
    write({ run: '#!/bin/sh', '日本.html': 'y', 'ä/ü.txt': 'x'.repeat(10_000) });
    chmodSync(join(root, 'run'), 0o700);
    expect(await packed()).toEqual(first);
    expect(first.includes('日本.html')).toBe(true);
  });

  it('leaves no file behind, whether it ends well, is aborted or fails', async () => {
    const before = left();
    write({ 'index.html': 'x', 'large.bin': 'z'.repeat(5_000_000) });
    const list = listFiles(root);
    await using archive = await packFolder(list);
    expect(archive.size).toBeGreaterThan(100);
    await expect(packFolder(list, { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');
    await expect(packFolder(list, { maxBytes: 1000 })).rejects.toThrow('larger than the 1000 B');
    write({ 'index.html': 'grown' });
    await expect(packFolder(list)).rejects.toThrow('"index.html" was changed while it was packed');
    rmSync(join(root, 'index.html'));
    await expect(packFolder(list)).rejects.toThrow('cannot be read');
    expect(left()).toEqual(before);
  });
});
