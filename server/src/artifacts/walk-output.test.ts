import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createBreather } from '../lib/breather.ts';
import { PackRefused } from './pack-refused.ts';
import { walkOutput } from './walk-output.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lilac-walk-')));
  return () => rmSync(folder, { recursive: true, force: true });
});

const breaths = { count: 0 };
const breathe = () => void (breaths.count += 1);
const walk = (maxFiles = 100_000) => walkOutput({ folder, maxFiles, breathe });

describe('walking the output', () => {
  it('lets others have a turn after every entry, not after every folder', async () => {
    for (let index = 0; index < 50; index += 1) writeFileSync(join(folder, `f${index}`), '');
    breaths.count = 0;
    expect(await walk()).toHaveLength(50);
    expect(breaths.count).toBeGreaterThanOrEqual(50);
  });

  it('stops in the middle of a folder when it is told to', async () => {
    for (let index = 0; index < 50; index += 1) writeFileSync(join(folder, `f${index}`), '');
    const stopping = new AbortController();
    let seen = 0;
    const heed = createBreather(stopping.signal);
    const counting = () => {
      if (++seen === 10) stopping.abort();
      return heed();
    };
    const walking = walkOutput({ folder, maxFiles: 100, breathe: counting });
    await expect(walking).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toBe(10);
  });

  it('follows links that lead through long ones, also by absolute paths and out and in again', async () => {
    writeFileSync(join(folder, 'c38'), 'x');
    for (let index = 0; index < 38; index += 1) {
      symlinkSync(`${'./'.repeat(2000)}c${index + 1}`, join(folder, `c${index}`));
    }
    symlinkSync('c0', join(folder, 'x'));
    symlinkSync(join(folder, 'c37'), join(folder, 'absolute'));
    symlinkSync(`../${folder.split('/').at(-1)}/c38`, join(folder, 'around'));
    const files = await walk();
    expect(files).toHaveLength(42);
    for (const { source } of files) expect(source).toBe(join(folder, 'c38'));
  });

  it('refuses links that lead through what is not there, and such as would take for ever to follow', async () => {
    writeFileSync(join(folder, 'index.html'), 'x');
    symlinkSync('gone/../index.html', join(folder, 'a'));
    await expect(walk()).rejects.toThrow(/\/a leads nowhere/);
    rmSync(join(folder, 'a'));
    mkdirSync(join(folder, 'd'));
    const detour = 'd/../'.repeat(800);
    for (let index = 0; index < 2000; index += 1) symlinkSync(`${detour}index.html`, join(folder, `l${index}`));
    await expect(walk()).rejects.toThrow(/too tangled/);
  });

  it('leaves out what was never meant for the public, and nothing else', async () => {
    const secret = [
      '.npmrc',
      '.htpasswd',
      '.aws/credentials',
      '.svn/entries',
      '.git/config',
      '.env.local',
      '.SSH/id_rsa',
      '.gitignore',
      '.lilacignore',
      '.dockerignore',
      '.dev.vars',
      'terraform.tfstate',
      'terraform.tfstate.backup',
      'Client.P12',
    ];
    const published = [
      '.well-known/security.txt',
      'index.html',
      'npmrc',
      'git/a',
      '.nojekyll',
      'env',
      '.vitepress/a.js',
    ];
    for (const path of [...secret, ...secret.map((name) => `docs/${name}`), ...published]) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), 'x');
    }
    symlinkSync('.aws/credentials', join(folder, 'linked'));
    expect((await walk()).map(({ path }) => path).toSorted()).toEqual(published.map((path) => `/${path}`).toSorted());
  });

  it('leaves out private keys by what is in them: certificates and presentations are offered to everybody', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----\n`;
    const certificate = `-----BEGIN CERTIFICATE-----\n${'B'.repeat(64)}\n-----END CERTIFICATE-----\n`;
    const files = {
      'ca.pem': certificate,
      'talk.key': `PK\u0003\u0004${'C'.repeat(64)}`,
      'guide.md': key,
      'both.pem': certificate + key,
      'tls/server.KEY': `Bag Attributes\n${key}`,
    };
    mkdirSync(join(folder, 'tls'));
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    symlinkSync('both.pem', join(folder, 'linked.txt'));
    const paths = (await walk()).map(({ path }) => path).toSorted();
    expect(paths).toEqual(['/ca.pem', '/guide.md', '/talk.key']);
  });

  it('refuses folders that are too deep, and counts folders as it counts files', async () => {
    mkdirSync(join(folder, 'a/'.repeat(255)), { recursive: true });
    writeFileSync(join(folder, 'a/'.repeat(255), 'f'), '');
    expect(await walk(256)).toHaveLength(1);
    await expect(walk(255)).rejects.toThrow(/more than 255 files and folders/);
    mkdirSync(join(folder, 'a/'.repeat(256)));
    await expect(walk()).rejects.toThrow(PackRefused);
    await expect(walk()).rejects.toThrow(/255 levels deep/);
  });
});
