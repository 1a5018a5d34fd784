import { describe, expect, it } from 'vitest';
import { planFor } from '../testing/plan-for.ts';

const vite = { scripts: { build: 'vite build' }, devDependencies: { vite: '7.0.0' } };
const library = { name: '@a/lib', scripts: { build: 'tsc' } };

describe('a package of a workspace', () => {
  it('is installed where the lock file is, and built where it lies', async () => {
    const plan = await planFor(
      {
        'package.json': { workspaces: ['apps/*'], engines: { node: '22.x' } },
        'package-lock.json': '{}',
        'apps/web/package.json': { name: 'web', ...vite },
      },
      { rootDirectory: './apps/web/' },
    );
    expect(plan).toMatchObject({
      rootDirectory: 'apps/web',
      workspaceDirectory: '',
      lockFile: 'package-lock.json',
      installCommand: 'npm ci',
      buildCommand: 'npm run build',
      outputDirectory: 'dist',
      nodeVersion: '22.x',
    });
  });

  it('has its siblings built first, each after what it needs itself', async () => {
    const plan = await planFor(
      {
        'package.json': { workspaces: { packages: ['packages/**', 'apps/web'] } },
        'yarn.lock': '',
        'packages/ui/package.json': { name: '@a/ui', scripts: { build: 'tsc' }, dependencies: { '@a/lib': '1.0.0' } },
        'packages/deep/lib/package.json': library,
        'packages/unused/package.json': { name: '@a/unused', scripts: { build: 'tsc' } },
        'apps/web/package.json': { name: 'web', ...vite, dependencies: { '@a/ui': '*', '@a/lib': '*' } },
      },
      { rootDirectory: 'apps/web' },
    );
    expect(plan.buildCommand).toBe(
      '(cd ../../packages/deep/lib && yarn run build) && (cd ../../packages/ui && yarn run build) && yarn run build',
    );
  });

  it('is built by pnpm with what it depends on', async () => {
    const files = {
      'package.json': {},
      'pnpm-workspace.yaml': 'packages:\n  # all\n  - "apps/*"\n  - packages/*\n',
      'pnpm-lock.yaml': `lockfileVersion: '9.0'\n`,
      'packages/lib/package.json': library,
      'apps/web/package.json': { name: '@a/web', ...vite, dependencies: { '@a/lib': 'workspace:*' } },
    };
    const plan = await planFor(files, { rootDirectory: 'apps/web' });
    expect(plan.buildCommand).toBe('pnpm --filter @a/web... run build');
    const plain = { ...files, 'packages/lib/package.json': { name: '@a/lib' } };
    expect((await planFor(plain, { rootDirectory: 'apps/web' })).buildCommand).toBe('pnpm run build');
  });

  it('stands alone where no workspace names it, whatever lock file lies above', async () => {
    const plan = await planFor(
      {
        'package.json': { devDependencies: { husky: '9.0.0' } },
        'package-lock.json': '{}',
        'frontend/package.json': vite,
        'frontend/yarn.lock': '',
      },
      { rootDirectory: 'frontend' },
    );
    expect(plan).toMatchObject({ workspaceDirectory: 'frontend', lockFile: 'frontend/yarn.lock' });
  });

  it('that a glob shuts out is not a member', async () => {
    const plan = await planFor(
      {
        'package.json': { workspaces: ['apps/*', '!apps/old'] },
        'package-lock.json': '{}',
        'apps/old/package.json': vite,
      },
      { rootDirectory: 'apps/old' },
    );
    expect(plan).toMatchObject({ workspaceDirectory: 'apps/old', installCommand: 'npm install' });
  });

  it('survives packages that need one another', async () => {
    const plan = await planFor(
      {
        'package.json': { workspaces: ['*'] },
        'a/package.json': { name: 'a', scripts: { build: 'x' }, dependencies: { b: '*' } },
        'b/package.json': { name: 'b', scripts: { build: 'x' }, dependencies: { a: '*' } },
        'web/package.json': { name: 'web', ...vite, dependencies: { a: '*' } },
      },
      { rootDirectory: 'web' },
    );
    expect(plan.buildCommand).toBe('(cd ../b && npm run build) && (cd ../a && npm run build) && npm run build');
  });
});

describe('the root of workspaces', () => {
  it('deploys the one application that it holds, and says so', async () => {
    const plan = await planFor({
      'package.json': { workspaces: ['packages/*'] },
      'package-lock.json': '{}',
      'packages/lib/package.json': library,
      'packages/shop/package.json': { name: 'shop', ...vite },
    });
    expect(plan).toMatchObject({ rootDirectory: 'packages/shop', workspaceDirectory: '', framework: 'vite' });
    expect(plan.notes[0]).toContain('packages/shop of the workspaces is deployed');
  });

  it('deploys the application of the framework that was chosen', async () => {
    const files = {
      'package.json': { workspaces: ['apps/*'] },
      'apps/one/package.json': vite,
      'apps/two/package.json': { dependencies: { astro: '5.0.0' } },
    };
    expect(await planFor(files, { framework: 'astro' })).toMatchObject({
      rootDirectory: 'apps/two',
      framework: 'astro',
    });
  });

  it('says that it is unclear which of several is meant', async () => {
    const plan = await planFor({
      'package.json': { workspaces: ['apps/*'] },
      'apps/one/package.json': vite,
      'apps/two/package.json': vite,
    });
    expect(plan.rootDirectory).toBe('');
    expect(plan.notes.join()).toContain('Several packages could be deployed (apps/one, apps/two)');
  });

  it('is run itself where it has a start script and several applications', async () => {
    const plan = await planFor({
      'package.json': { workspaces: ['apps/*'], scripts: { start: 'node server.js' } },
      'apps/one/package.json': vite,
      'apps/two/package.json': vite,
    });
    expect(plan).toMatchObject({ rootDirectory: '', deploymentType: 'container', startCommand: 'npm run start' });
  });
});

describe('a project of Nx without a manifest', () => {
  it('is refused with the settings that would build it', async () => {
    const files = { 'nx.json': {}, 'package.json': {}, 'apps/web/project.json': {}, 'apps/web/index.html': '' };
    await expect(planFor(files, { rootDirectory: 'apps/web' })).rejects.toThrow(
      'Create the application anew without a folder (rootDirectory), with the build command npx nx build web and the output folder dist/apps/web.',
    );
  });
});
