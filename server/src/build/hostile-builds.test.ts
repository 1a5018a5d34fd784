import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORGANISATION } from '../artifacts/testing/bench-ids.ts';
import { pathsOf } from '../config.ts';
import { run } from '../lib/exec.ts';
import { silentLog } from '../lib/log.ts';
import { removeTree } from '../lib/remove-tree.ts';
import { uidOf } from '../sandbox/uids.ts';
import { eventually } from '../testing/eventually.ts';
import { BuildFailed } from './builder.ts';
import { findInstalledTrees } from './cache/installed-trees.ts';
import { keepFrameworkCaches, takeFrameworkCaches } from './cache/framework-caches.ts';
import { requirePlaces } from './cache/lay-out-trees.ts';
import { inner } from './inner-paths.ts';
import { noSettings, openBuilderBench, type BuilderBench } from './testing/builder-bench.ts';
import { openWorkspace } from './workspace.ts';

let bench: BuilderBench;
beforeAll(async () => void (bench = await openBuilderBench()));
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const settings = { ...noSettings, deploymentType: 'static', outputDirectory: 'dist' } as const;
const leftovers = () => readdirSync(pathsOf(bench.config).builds);
/** Deeper than any path may be long. */
const DIG = `node -e "for (let i = 0; i < 400; i++) { fs.mkdirSync('d'.repeat(20)); process.chdir('d'.repeat(20)); }"`;
const HOST = { PATH: process.env.PATH };
const SITE = 'mkdir -p dist; echo hi > dist/index.html';

describe('a build that digs a folder deeper than paths go', () => {
  it('is built like any other, and leaves nothing', async () => {
    const buildCommand = `${SITE}; (${DIG}); cd /tmp; ${DIG}`;
    const project = bench.projectOf({ 'readme.txt': '' });
    const request = { settings: { ...settings, buildCommand }, deploymentId: 'dep_deep' };
    expect((await bench.build(project, request)).artifact.fileCount).toBe(1);
    // The same deployment again, as a second attempt would.
    await bench.build(project, request);
    await eventually('its folder is gone', () => leftovers().length === 0);
  });

  it('keeps no later sweep from its work, nor caches from being evicted', async () => {
    const { builds, buildCaches } = pathsOf(bench.config);
    const trash = join(buildCaches, 'trash');
    for (const folder of [join(builds, 'dep_a'), join(trash, 'a')]) {
      mkdirSync(folder, { recursive: true });
      await run(['/bin/sh', '-c', DIG], { cwd: folder, env: HOST });
    }
    mkdirSync(join(builds, 'dep_b'));
    mkdirSync(join(trash, 'b'));
    await bench.builder.sweep();
    expect(leftovers()).toEqual([]);
    expect(readdirSync(trash)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('or whatever cannot be removed at all: the rest is, and it is told', async () => {
    const { builds, buildCaches } = pathsOf(bench.config);
    const trash = join(buildCaches, 'trash');
    for (const folder of [join(builds, 'dep_a'), join(builds, 'dep_b'), join(trash, 'b')])
      mkdirSync(folder, { recursive: true });
    await run(['mount', '-t', 'tmpfs', 'tmpfs', join(builds, 'dep_a')], { env: HOST });
    try {
      await expect(bench.builder.sweep()).rejects.toThrow(/dep_a cannot be removed/);
      expect(leftovers()).toEqual(['dep_a']);
      expect(readdirSync(trash)).toEqual([]);
    } finally {
      await run(['umount', join(builds, 'dep_a')], { env: HOST });
    }
    await bench.builder.sweep();
    expect(leftovers()).toEqual([]);
  });
});

describe('a build that puts a link in the place of a folder', () => {
  it('is told nothing of what is behind it', async () => {
    const secret = join(bench.home, 'outside');
    mkdirSync(join(secret, 'names-of-the-host'), { recursive: true });
    const project = bench.projectOf({ 'app/readme.txt': '' });
    const buildCommand = `cd .. && rm -rf app && ln -s ${secret} app`;
    const chosen = { ...settings, rootDirectory: 'app', outputDirectory: 'nope', buildCommand };
    const failed = await bench.build(project, { settings: chosen }).catch((error: Error) => error);
    expect(failed).toBeInstanceOf(BuildFailed);
    expect((failed as Error).message).not.toContain('names-of-the-host');
    const empty = join(bench.home, 'outside', 'names-of-the-host');
    const toEmpty = { ...settings, buildCommand: `ln -s ${empty} dist` };
    await expect(bench.build(project, { settings: toEmpty })).rejects.toThrow(/dist is not there/);
  });

  it('gets no folder of the host into a cache, nor a cache into a folder of the host', async () => {
    const workspace = bench.projectOf({ 'source/a/x': '' });
    const host = bench.projectOf({ 'cache/file': 'the host’s' });
    const folder = bench.projectOf({});
    symlinkSync(host, join(workspace, 'source', 'linked'));
    const paths = ['linked/cache', '../../outside'];
    const realPath = (path: string) => join(workspace, 'source', path);
    const caches = { folder, paths, realPath, workspace, uid: null };
    await keepFrameworkCaches(caches);
    expect(readdirSync(folder)).toEqual([]);
    await keepFrameworkCaches({ ...caches, realPath: () => join(workspace, 'source', 'a') });
    expect(readdirSync(folder).length).toBe(1);
    await removeTree(join(host, 'cache'));
    await takeFrameworkCaches({ ...caches, paths: [paths[0]!] });
    expect(readdirSync(host)).toEqual([]);
  });

  it('gets no folder of the host as its own by committing a link where packages were', async () => {
    const kept = bench.projectOf({ 'entry.json': '{"places":["a/node_modules"],"sizeBytes":1}' });
    const source = bench.projectOf({ 'a/x': '' });
    expect(await findInstalledTrees(kept, source)).toMatchObject({ places: ['a/node_modules'] });
    symlinkSync(bench.home, join(source, 'a', 'node_modules'));
    expect(await findInstalledTrees(kept, source)).toBeNull();
  });

  it('gets no packages mounted where its install scripts point', async () => {
    const source = bench.projectOf({ 'a/node_modules/x': '' });
    const laidOut = { mounts: [], places: ['a/node_modules'], realPath: (path: string) => path };
    await requirePlaces({ source }, laidOut);
    await removeTree(join(source, 'a'));
    symlinkSync(bench.projectOf({ 'node_modules/x': '' }), join(source, 'a'));
    await expect(requirePlaces({ source }, laidOut)).rejects.toThrow(BuildFailed);
  });
});

describe('builds of two organisations', () => {
  it('find nothing of each other’s downloads, and are users of their own', async () => {
    await bench.store.pool.query(`
      insert into organisations (id, name, slug, plan) values ('org_other', 'Other', 'other', 'pro');
      insert into applications (id, organisation_id, name, slug, deployment_type, framework, source_type)
        values ('app_other', 'org_other', 'Other', 'other', 'static', 'html', 'upload');
      insert into environments (id, organisation_id, application_id, name, subdomain)
        values ('env_other', 'org_other', 'app_other', 'production', 'other')`);
    const other = { organisationId: 'org_other', environmentId: 'env_other' };
    const project = bench.projectOf({ 'readme.txt': '' });
    const leave = { ...settings, buildCommand: `${SITE}; echo spoilt > ${inner.store}/left-behind` };
    await bench.build(project, { ...other, settings: leave });
    const look = { ...settings, buildCommand: `${SITE}; ls -a ${inner.store}; echo looked` };
    const { lines } = await bench.build(project, { settings: look });
    expect(lines).toContain('looked');
    expect(lines.join('\n')).not.toContain('left-behind');
    const stores = join(pathsOf(bench.config).buildCaches, 'stores');
    const left = statSync(join(stores, 'org_other', 'left-behind'));
    const own = statSync(join(stores, ORGANISATION));
    if (process.getuid?.() !== 0) return;
    expect([left.uid, own.uid]).toEqual([uidOf('org_other'), uidOf(ORGANISATION)]);
    expect(left.uid).not.toBe(own.uid);
    expect(own.mode & 0o077).toBe(0);
  });
});

describe('a build whose files cannot be removed', () => {
  it.runIf(process.getuid?.() === 0)('is over all the same, and may be tried again', async () => {
    const options = { config: bench.config, log: silentLog, deploymentId: 'dep_busy', organisationId: 'org_busy' };
    const workspace = await openWorkspace(options);
    await run(['mount', '-t', 'tmpfs', 'tmpfs', workspace.tmp], { env: HOST });
    await workspace[Symbol.asyncDispose]();
    const [aside = ''] = leftovers();
    expect(aside).toMatch(/^dep_busy-/);
    await (await openWorkspace(options))[Symbol.asyncDispose]();
    await eventually('nothing else is left', () => leftovers().join() === aside);
    await run(['umount', join(pathsOf(bench.config).builds, aside, 'tmp')], { env: HOST });
    await bench.builder.sweep();
    expect(leftovers()).toEqual([]);
  });
});
