import { describe, expect, it } from 'vitest';
import { planFor } from '../testing/plan-for.ts';

const manifest = { scripts: { build: 'vite build' }, devDependencies: { vite: '7.0.0' } };

describe('the package manager', () => {
  it('is the one that packageManager names, exactly', async () => {
    const plan = await planFor({
      'package.json': { ...manifest, packageManager: 'pnpm@9.12.3+sha512.abc' },
      'pnpm-lock.yaml': `lockfileVersion: '9.0'\n`,
    });
    expect(plan.packageManager).toEqual({ name: 'pnpm', version: '9.12.3' });
    expect(plan.installCommand).toBe('pnpm install --frozen-lockfile');
    expect(plan.buildCommand).toBe('pnpm run build');
    expect(plan.lockFile).toBe('pnpm-lock.yaml');
  });

  it.each([
    ['5.3', '6'],
    ['5.4', '7'],
    [`'6.0'`, '8'],
    [`'6.1'`, '8'],
    [`'9.0'`, '9'],
  ])('is the pnpm that wrote a lock file of format %s', async (format, version) => {
    const plan = await planFor({
      'package.json': manifest,
      'pnpm-lock.yaml': `lockfileVersion: ${format}\n\npackages:\n`,
    });
    expect(plan.packageManager).toEqual({ name: 'pnpm', version });
  });

  it('is yarn 1 or a later one by the look of its lock file', async () => {
    const first = await planFor({ 'package.json': manifest, 'yarn.lock': '# yarn lockfile v1\n\n' });
    expect(first.packageManager).toEqual({ name: 'yarn', version: '1' });
    expect(first.installCommand).toBe('yarn install --frozen-lockfile');
    const later = await planFor({ 'package.json': manifest, 'yarn.lock': '# comment\n\n__metadata:\n  version: 8\n' });
    expect(later.packageManager).toEqual({ name: 'yarn', version: '4' });
    expect(later.installCommand).toBe('yarn install --immutable');
  });

  it.each([
    'https://evil.test/x.tgz',
    'npm:evil@1',
    'file:../../evil',
    'git+ssh://evil.test/x',
    'evil',
    '1.2.3/../x',
    '--x',
  ])('is asked for by a version and nothing else, not by "%s"', async (hostile) => {
    const versions = await Promise.all(
      ['npm', 'pnpm', 'yarn', 'bun'].flatMap((name) => [
        planFor({ 'package.json': { ...manifest, packageManager: `${name}@${hostile}` } }),
        planFor({ 'package.json': { ...manifest, engines: { [name]: hostile, node: hostile } } }),
        planFor({ 'package.json': { ...manifest, volta: { [name]: hostile, node: hostile } }, '.nvmrc': hostile }),
        planFor({
          'package.json': manifest,
          'yarn.lock': '',
          '.yarnrc.yml': `yarnPath: .yarn/releases/yarn-${hostile}.cjs\n`,
        }),
      ]),
    );
    for (const { packageManager, nodeVersion } of versions) {
      for (const version of [packageManager?.version, nodeVersion]) expect(version ?? '1').toMatch(/^[\d.]+$/);
    }
  });

  it('is the very yarn that the repository brings', async () => {
    const plan = await planFor({
      'package.json': manifest,
      'yarn.lock': '__metadata:\n  version: 6\n',
      '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn-3.2.1.cjs\n',
    });
    expect(plan.packageManager).toEqual({ name: 'yarn', version: '3.2.1' });
  });

  it('among two lock files is not npm, and a note says so', async () => {
    const plan = await planFor({
      'package.json': manifest,
      'package-lock.json': '{}',
      'pnpm-lock.yaml': `lockfileVersion: '9.0'\n`,
    });
    expect(plan.packageManager?.name).toBe('pnpm');
    expect(plan.notes).toEqual([
      'pnpm installs the packages; package-lock.json of another package manager is not used.',
    ]);
  });

  it('named by packageManager does not use the lock file of another', async () => {
    const plan = await planFor({ 'package.json': { ...manifest, packageManager: 'npm@11.0.0' }, 'yarn.lock': '' });
    expect(plan).toMatchObject({ packageManager: { name: 'npm' }, lockFile: null, installCommand: 'npm install' });
  });

  it('is bun for its lock file', async () => {
    const plan = await planFor({ 'package.json': manifest, 'bun.lock': '{}' });
    expect(plan).toMatchObject({ packageManager: { name: 'bun' }, installCommand: 'bun install --frozen-lockfile' });
  });

  it('installs nothing where nothing is asked for', async () => {
    const plan = await planFor({ 'package.json': { scripts: { start: 'node server.js' } }, 'server.js': '' });
    expect(plan).toMatchObject({ installCommand: null, startCommand: 'npm run start' });
  });

  it('survives a manifest whose fields are of the wrong kind', async () => {
    const plan = await planFor({
      'package.json': { name: 1, scripts: null, dependencies: [], packageManager: {}, engines: 'node', workspaces: 3 },
      'index.js': '',
    });
    expect(plan).toMatchObject({ packageManager: { name: 'npm' }, startCommand: 'node index.js' });
  });
});
