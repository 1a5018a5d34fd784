import { describe, expect, it } from 'vitest';
import { PlanRefused } from '../plan.ts';
import { detectPlan } from './detect-plan.ts';
import { memoryTree } from './testing/memory-tree.ts';
import { noSettings, planFor } from './testing/plan-for.ts';

const express = { 'package.json': { dependencies: { express: '5.0.0' }, scripts: { start: 'node .' } } };
const vite = { 'package.json': { scripts: { build: 'vite build' }, devDependencies: { vite: '7.0.0' } } };

describe('what cannot be planned', () => {
  it('is refused with what was looked for', async () => {
    await expect(planFor({ 'notes.txt': '' })).rejects.toThrow(/^Nothing in the root .* package\.json, index\.html/);
    await expect(planFor({ 'a/notes.txt': '' }, { rootDirectory: 'a' })).rejects.toThrow('Nothing in “a”');
    await expect(planFor({ 'notes.txt': '' })).rejects.toThrow(
      'create the application anew with that folder (rootDirectory).',
    );
  });

  it('is refused with the folders that look like projects', async () => {
    const files = {
      'README.md': '',
      'shop/frontend/package.json': {},
      'shop/backend/go.mod': '',
      'shop/notes/a.txt': '',
    };
    await expect(planFor(files, { rootDirectory: 'shop' })).rejects.toThrow(
      'Create the application anew with the folder of the project that is meant (rootDirectory): shop/backend, shop/frontend.',
    );
  });

  it('is refused when the source or the root directory is empty, or outside', async () => {
    await expect(planFor({})).rejects.toThrow('The source holds no files.');
    await expect(planFor(vite, { rootDirectory: 'apps/web' })).rejects.toThrow('There is no folder “apps/web”');
    await expect(planFor(vite, { rootDirectory: '../x' })).rejects.toThrow('lies outside the source');
    await expect(planFor(vite, { outputDirectory: '../x' })).rejects.toThrow('lies outside the source');
    await expect(planFor(vite, { outputDirectory: '/etc' })).rejects.toThrow('lies outside the source');
  });

  it('is refused, not crashed upon, when a manifest is broken', async () => {
    for (const [path, text] of Object.entries({
      'package.json': '{"name": ',
      'composer.json': '{,}',
      'Cargo.toml': '[package',
      'pyproject.toml': 'x = = 1',
      'deno.json': '{"a" 1}',
    })) {
      await expect(planFor({ [path]: text })).rejects.toThrow(PlanRefused);
      await expect(planFor({ [path]: text })).rejects.toThrow(`${path} is not valid`);
    }
  });

  it('is refused when a server is to be static files', async () => {
    await expect(planFor(express, { deploymentType: 'static' })).rejects.toThrow(
      'This project (express) runs as a server and cannot be served as static files. Set an output directory if a build writes pages to one. ' +
        'To run it as a server, create the application anew as a server (deployment type container)',
    );
  });

  it('is refused when files are to be a server that nothing starts', async () => {
    await expect(planFor({ 'index.html': '' }, { deploymentType: 'container' })).rejects.toThrow(
      'with a start command',
    );
  });
});

describe('settings', () => {
  it('win over everything that is found', async () => {
    const plan = await planFor(vite, { buildCommand: 'make site', outputDirectory: './public/' });
    expect(plan).toMatchObject({ buildCommand: 'make site', outputDirectory: 'public', deploymentType: 'static' });
    const server = await planFor(express, { startCommand: 'node x', runtime: 'node22', containerPort: 8080 });
    expect(server).toMatchObject({ startCommand: 'node x', runtime: 'node22', port: 8080, outputDirectory: null });
  });

  it('that are blank mean: no such step', async () => {
    expect(await planFor(vite, { buildCommand: ' ', outputDirectory: '.' })).toMatchObject({
      buildCommand: null,
      outputDirectory: '',
    });
  });

  it('make files of a server where a folder is named', async () => {
    const plan = await planFor(express, { deploymentType: 'static', outputDirectory: 'public' });
    expect(plan).toMatchObject({
      deploymentType: 'static',
      outputDirectory: 'public',
      startCommand: null,
      runtime: null,
    });
  });

  it('make a server of files where a command is named', async () => {
    const plan = await planFor(vite, { deploymentType: 'container', startCommand: 'node server.js' });
    expect(plan).toMatchObject({ deploymentType: 'container', startCommand: 'node server.js', outputDirectory: null });
  });

  it('allow a folder beside the project, where the tools of a monorepo write to', async () => {
    const files = { 'apps/web/package.json': vite['package.json'] };
    const plan = await planFor(files, { rootDirectory: 'apps/web', outputDirectory: '../../dist/web' });
    expect(plan.outputDirectory).toBe('../../dist/web');
  });

  it('choose the framework whose rules are used', async () => {
    const both = { 'package.json': { dependencies: { next: '16.0.0', vite: '7.0.0' }, scripts: { build: 'x' } } };
    expect((await planFor(both)).framework).toBe('nextjs');
    expect(await planFor(both, { framework: 'vite' })).toMatchObject({ framework: 'vite', outputDirectory: 'dist' });
    const hoisted = { 'package.json': { scripts: { build: 'astro build' } } };
    expect(await planFor(hoisted, { framework: 'astro' })).toMatchObject({
      framework: 'astro',
      outputDirectory: 'dist',
    });
  });

  it('that name a library or another name of a framework do no harm', async () => {
    expect(await planFor(vite, { framework: 'react' })).toMatchObject({ framework: 'vite', notes: [] });
    expect(
      (await planFor({ 'package.json': { dependencies: { next: '16.0.0' } } }, { framework: 'next' })).notes,
    ).toEqual([]);
  });

  it('that name a framework the project does not use are told so', async () => {
    const plan = await planFor(vite, { framework: 'gatsby' });
    expect(plan.framework).toBe('vite');
    expect(plan.notes.join()).toContain('The framework is set to gatsby, but the project uses vite');
  });

  it('serve a folder of anything, where it is named', async () => {
    const plan = await planFor({ 'a/b.txt': '' }, { deploymentType: 'static', outputDirectory: 'a' });
    expect(plan).toMatchObject({ language: 'static', outputDirectory: 'a', installCommand: null, buildCommand: null });
  });
});

describe('looking at a project', () => {
  it('asks for nothing twice, and for no file that is not there', async () => {
    const tree = memoryTree({
      ...vite,
      'vite.config.ts': 'export default {}',
      'package-lock.json': '{}',
      'public/a.txt': '',
      'src/main.ts': '',
    });
    await detectPlan(tree, noSettings);
    expect(tree.asked.toSorted()).toEqual(['list ', 'list public', 'read package.json', 'read vite.config.ts']);
  });
});
