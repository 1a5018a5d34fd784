import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start } from '../../lib/exec.ts';
import { tryLock } from '../../lib/file-lock.ts';
import { makeDraft } from './draft-of-tool.ts';
import { evictToolchains } from './evict-toolchains.ts';
import { installRegistryPackage } from './registry-package.ts';

/** Writes what was asked for where it was asked for, as npm would, and says so. */
const NPM = `
const { mkdirSync, writeFileSync, appendFileSync } = require('node:fs');
const prefix = process.argv.find((word) => word.startsWith('--prefix=')).slice(9);
const [name, range] = process.argv.at(-1).split('@');
const version = range.replace('~', '');
mkdirSync(prefix + '/node_modules/' + name, { recursive: true });
writeFileSync(prefix + '/node_modules/' + name + '/package.json', JSON.stringify({ version: version + '.0.1' }));
appendFileSync(__dirname + '/installs', '.');
`;
const DAY_MS = 24 * 3600 * 1000;

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lilac-toolchains-'));
  root = join(folder, 'toolchains');
  writeFileSync(join(folder, 'npm.cjs'), NPM);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function use(name: string): Promise<string> {
  const npm = [process.execPath, join(folder, 'npm.cjs')] as const;
  const signal = new AbortController().signal;
  return installRegistryPackage({ name, version: '9', title: name }, { root, npm, hostVariables: {}, signal });
}

function lastUsed(path: string, daysAgo: number): void {
  const then = new Date(Date.now() - daysAgo * DAY_MS);
  utimesSync(path, then, then);
}

describe('toolchains', () => {
  it('go when no build has used them for 30 days, and are installed again when one wants them', async () => {
    const [old, young] = [await use('pnpm'), await use('yarn')];
    lastUsed(old, 31);
    lastUsed(young, 29);
    await evictToolchains(root);
    expect(existsSync(young)).toBe(true);
    expect(readdirSync(join(root, 'pnpm'))).toEqual([]);
    expect(await use('pnpm')).toBe(old);
    expect(existsSync(old)).toBe(true);
  });

  it('stay when one uses them, however long ago the use before that was', async () => {
    const path = await use('pnpm');
    lastUsed(path, 31);
    expect(await use('pnpm')).toBe(path);
    await evictToolchains(root);
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(join(folder, 'installs'), 'utf8')).toBe('.');
  });

  it('are left alone while one is being installed, or its use noted', async () => {
    const path = await use('pnpm');
    lastUsed(path, 31);
    const unlock = tryLock(join(root, 'pnpm', 'lock'));
    await evictToolchains(root);
    expect(existsSync(path)).toBe(true);
    unlock();
  });

  it.runIf(process.getuid?.() === 0)(
    'stay while a sandbox has them in view, however long ago it was started',
    async () => {
      const [used, unused] = [await use('pnpm'), await use('yarn')];
      for (const path of [used, unused]) lastUsed(path, 31);
      const view = join(folder, 'view');
      mkdirSync(view);
      const words = [
        '--mount',
        '--propagation',
        'private',
        'sh',
        '-c',
        'mount --bind "$1" "$2" && echo ready && exec sleep 600',
        'sh',
      ];
      const sandbox = start(['unshare', ...words, used, view], {
        env: { PATH: process.env.PATH },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(sandbox.stdout!, 'data');
      await evictToolchains(root, { totalBytes: 0, buildMs: 0 });
      expect([existsSync(used), existsSync(unused)]).toEqual([true, false]);
      sandbox.kill('SIGKILL');
      await once(sandbox, 'exit');
      await evictToolchains(root);
      expect(existsSync(used)).toBe(false);
    },
  );

  it('of an exact version are never looked for again, however old they are', async () => {
    const npm = [process.execPath, join(folder, 'npm.cjs')] as const;
    const options = { root, npm, hostVariables: {}, signal: new AbortController().signal };
    const wanted = { name: 'pnpm', version: '9.1.2', title: 'pnpm' };
    const path = await installRegistryPackage(wanted, options);
    lastUsed(join(root, 'pnpm', '9.1.2.json'), 300);
    expect(await installRegistryPackage(wanted, options)).toBe(path);
    expect(readFileSync(join(folder, 'installs'), 'utf8')).toBe('.');
  });

  it('go when all take more than they may, those used longest ago first, and none of lately', async () => {
    const tools = [await use('pnpm'), await use('yarn'), await use('npm'), await use('bun')];
    for (const [index, path] of tools.entries()) {
      writeFileSync(join(path, 'program'), Buffer.alloc(1_000_000, 1));
      lastUsed(path, index);
    }
    const left = () => tools.map((path) => existsSync(path));
    await evictToolchains(root, { totalBytes: 10_000_000, buildMs: 0 });
    expect(left()).toEqual([true, true, true, true]);
    await evictToolchains(root, { totalBytes: 2_500_000, buildMs: 0 });
    expect(left()).toEqual([true, true, false, false]);
    expect(readdirSync(join(root, 'bun'))).toEqual([]);
    await evictToolchains(root, { totalBytes: 0, buildMs: 2 * DAY_MS });
    expect(left()).toEqual([true, true, false, false]);
    await evictToolchains(root, { totalBytes: 0, buildMs: 0 });
    expect(left()).toEqual([true, false, false, false]);
    expect(await use('bun')).toBe(tools[3]);
  });

  it('of another version are at hand while one is being installed, which eviction leaves alone', async () => {
    const path = await use('pnpm');
    lastUsed(path, 1);
    const draft = await makeDraft(join(root, 'pnpm'));
    const unlock = tryLock(join(root, 'pnpm', 'lock-10'));
    expect(await use('pnpm')).toBe(path);
    await evictToolchains(root);
    expect(existsSync(draft)).toBe(true);
    unlock();
  });

  it('are installed once, however many want one at the same moment, and bear to be wanted by two names', async () => {
    const npm = [process.execPath, join(folder, 'npm.cjs')] as const;
    const options = { root, npm, hostVariables: {}, signal: new AbortController().signal };
    const ask = (version: string) => installRegistryPackage({ name: 'pnpm', version, title: 'pnpm' }, options);
    const paths = await Promise.all(['9', '9', '9', '~9', '~9'].map(ask));
    expect(new Set(paths)).toEqual(new Set([join(root, 'pnpm', '9.0.1')]));
    expect(readFileSync(join(folder, 'installs'), 'utf8')).toBe('..');
    const names = readdirSync(join(root, 'pnpm')).toSorted();
    expect(names).toEqual(['9.0.1', '9.json', '~9.json']);
  });

  it('that a killed install left half-done go', async () => {
    const path = await use('pnpm');
    mkdirSync(join(root, 'pnpm', 'draft-abc', 'node_modules'), { recursive: true });
    await evictToolchains(root);
    expect(readdirSync(join(root, 'pnpm')).toSorted()).toEqual(['9.0.1', '9.json']);
    expect(existsSync(path)).toBe(true);
  });

  it('are nothing to do where there are none', async () => {
    await expect(evictToolchains(root)).resolves.toBeUndefined();
  });
});
