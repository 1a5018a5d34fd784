import { chmodSync, existsSync, lstatSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepArtifacts } from '../artifacts/sweep-artifacts.ts';
import { run } from '../lib/exec.ts';
import { BuildFailed } from './builder.ts';
import { noSettings, openBuilderBench, type BuilderBench } from './testing/builder-bench.ts';
import { runServer, unpackSlug } from './testing/run-server.ts';

const MEBIBYTE = 1024 ** 2;
let bench: BuilderBench;
beforeAll(async () => void (bench = await openBuilderBench({}, { maxSlugBytes: 32 * MEBIBYTE })));
afterAll(() => bench[Symbol.asyncDispose]());

const SERVER = `require('http').createServer((q, a) => a.end(process.env.GREETING ?? 'hello')).listen(process.env.PORT)`;
const manifest = (scripts: Record<string, string>, more = {}) => JSON.stringify({ name: 'server', scripts, ...more });
/** A package of the project's own: installing needs no registry. */
const withTool = {
  'tool/package.json': '{"name":"tool","version":"1.0.0","main":"tool.js"}',
  'tool/tool.js': `module.exports = 'a tool'`,
};
const needsTool = { dependencies: { tool: 'file:tool' } };

describe('a server', () => {
  it('becomes a slug that says how it is run', async () => {
    const built = await bench.build(
      bench.projectOf({ 'package.json': manifest({ start: 'node server.js' }), 'server.js': SERVER }),
    );
    expect(built.stages).toEqual(['fetching', 'detecting', 'building', 'packaging']);
    expect(built.artifact.run).toEqual({
      startCommand: 'PATH="/home/app/node_modules/.bin:$PATH"; exec node server.js',
      workDirectory: '',
      port: 8080,
      isPortKnown: false,
      tools: { node: process.versions.node },
      variables: { npm_package_name: 'server' },
    });
    expect(built.lines.at(-1)).toMatch(/^Packed 2 files, .* compressed$/);
    await using server = await runServer(bench, built.artifact);
    expect(await (await server.get()).text()).toBe('hello');
  });

  it('listens where a person says; what a Dockerfile names is only likely', async () => {
    const project = bench.projectOf({
      'package.json': manifest({ start: 'node server.js' }),
      'server.js': SERVER,
      Dockerfile: 'EXPOSE 3000',
    });
    const run = async (containerPort: number | null) =>
      (await bench.build(project, { settings: { ...noSettings, containerPort } })).artifact.run;
    expect(await run(9000)).toMatchObject({ port: 9000, isPortKnown: true });
    expect(await run(null)).toMatchObject({ port: 3000, isPortKnown: false });
  });

  it('has its packages in the slug, whether they were installed or kept from an earlier build', async () => {
    const start = `require('http').createServer((q, a) => a.end(require('tool'))).listen(process.env.PORT)`;
    const files = { ...withTool, 'server.js': start, 'package.json': manifest({ start: 'node server.js' }, needsTool) };
    const project = bench.projectOf(files);
    for (const attempt of ['first', 'second']) {
      const built = await bench.build(project, { environmentId: 'env_packages' });
      const reused = built.lines.some((line) => line.includes('those of an earlier build are used'));
      expect([attempt, reused]).toEqual([attempt, attempt === 'second']);
      await using server = await runServer(bench, built.artifact);
      expect(await (await server.get()).text()).toBe('a tool');
    }
  });

  it('is run in its folder of a monorepo, with the programs of both', async () => {
    const program = '#!/usr/bin/env node\n' + SERVER;
    const project = bench.projectOf({
      'package.json': JSON.stringify({ name: 'root', private: true, workspaces: ['apps/*', 'tool'] }),
      'tool/package.json': '{"name":"tool","version":"1.0.0","bin":{"serve-it":"serve.js"}}',
      'tool/serve.js': program,
      'apps/web/package.json': manifest({ start: 'serve-it' }, { dependencies: { tool: '*' } }),
    });
    const settings = { ...noSettings, rootDirectory: 'apps/web' };
    const { artifact } = await bench.build(project, { settings, environmentId: 'env_monorepo' });
    expect(artifact.run?.workDirectory).toBe('apps/web');
    await using server = await runServer(bench, artifact);
    expect((await server.get()).status).toBe(200);
  });
});

describe('what is packed', () => {
  it('leaves out the repository, caches, and what the project names', async () => {
    const project = bench.projectOf({
      'server.js': SERVER,
      '.git/config': 'x',
      '.next/cache/a': 'x',
      '.next/server/a': 'x',
      'packages/a/node_modules/.cache/x': 'x',
      'docs/a.md': 'x',
      'src/docs/a.md': 'x',
      'notes.tmp': 'x',
      'keep.txt': 'x',
      'dist/a.js': 'x',
      '.slugignore': '# not needed\n/docs/\n*.tmp\n!keep.txt\n',
      // What a computer does not send is made anew here.
      '.lilacignore': '*\n!server.js\ndist/\n',
    });
    const { artifact } = await bench.build(project);
    const folder = await unpackSlug(bench, artifact.artifactId);
    const isThere = (path: string) => existsSync(join(folder, path));
    expect(['.git', '.next/cache', 'packages/a/node_modules/.cache', 'docs', 'notes.tmp'].filter(isThere)).toEqual([]);
    expect(['.next/server/a', 'src/docs/a.md', 'keep.txt', 'dist/a.js'].filter((path) => !isThere(path))).toEqual([]);
  });

  it('holds links as links, whatever they lead to, and programs that no longer are another user’s', async () => {
    const project = bench.projectOf({ 'server.js': SERVER, secret: 'x', tool: '#!/bin/sh\n' });
    symlinkSync('/etc/passwd', join(project, 'passwd'));
    chmodSync(join(project, 'secret'), 0o600);
    chmodSync(join(project, 'tool'), 0o4755);
    const { artifact } = await bench.build(project);
    const folder = await unpackSlug(bench, artifact.artifactId);
    expect(readlinkSync(join(folder, 'passwd'))).toBe('/etc/passwd');
    expect(statSync(join(folder, 'secret')).mode & 0o7777).toBe(0o644);
    expect(statSync(join(folder, 'tool')).mode & 0o7777).toBe(0o755);
  });

  it('lets the program that is started be one, though the archive knew of no programs', async () => {
    const settings = { ...noSettings, startCommand: './serve' };
    const project = bench.projectOf({ serve: `#!/usr/bin/env node\n${SERVER}` });
    const { artifact } = await bench.build(project, { settings });
    const folder = await unpackSlug(bench, artifact.artifactId);
    expect(statSync(join(folder, 'serve')).mode & 0o111).toBe(0o111);
    expect(artifact.run?.tools).toEqual({ node: process.versions.node });
    await using server = await runServer(bench, artifact);
    expect((await server.get()).status).toBe(200);
  });

  it('is refused beyond the limit, with what to do, and leaves nothing', async () => {
    const settings = { ...noSettings, buildCommand: 'head -c 34000000 /dev/urandom > big' };
    await expect(bench.build(bench.projectOf({ 'server.js': SERVER }), { settings })).rejects.toThrow(
      /larger than 32 MiB\. .*\.slugignore/,
    );
    await expect(sweepArtifacts(bench)).resolves.toMatchObject({ artifacts: expect.any(Number) as number });
    expect(bench.keys().filter((key) => key.includes('.tar'))).toEqual([]);
  });
});

describe('a project that cannot be run', () => {
  it('is told what says how it is started where nothing does, and nothing that no setting can change', async () => {
    const project = bench.projectOf({ 'package.json': manifest({}, { dependencies: { express: '5' } }) });
    await expect(bench.build(project)).rejects.toThrow(
      /says how it is started \(express\)\. Add a Procfile .*, or create the application anew with a start command/,
    );
    const settings = { ...noSettings, startCommand: '  ' };
    await expect(bench.build(bench.projectOf({ 'server.js': SERVER }), { settings })).rejects.toThrow(
      /start command is set to nothing .* Create the application anew/,
    );
  });

  it('is told that it needs Docker, where only that would build it', async () => {
    const failed = await bench.build(bench.projectOf({ Dockerfile: 'FROM scratch' })).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(BuildFailed);
    expect((failed as Error).message).toMatch(
      /LILAC_DOCKERFILES=on .*LILAC_RUNTIME=docker.* create the application anew .* with a start command/,
    );
  });
});

describe('packages that came with the source', () => {
  it('are removed and installed anew, and it is told', async () => {
    const files = {
      ...withTool,
      'server.js': `require('http').createServer((q, a) => a.end(require('tool'))).listen(process.env.PORT)`,
      'package.json': manifest({ start: 'node server.js' }, needsTool),
      'node_modules/tool/package.json': '{"name":"tool","version":"0.0.1","main":"x.js"}',
      'node_modules/tool/x.js': `module.exports = 'of another machine'`,
      'nested/node_modules/y/index.js': '',
    };
    const built = await bench.build(bench.projectOf(files), { environmentId: 'env_came' });
    expect(built.lines).toContainEqual(expect.stringMatching(/^Removed .* and 1 more, which came with the source/));
    await using server = await runServer(bench, built.artifact);
    expect(await (await server.get()).text()).toBe('a tool');
  });

  it('stay where nothing is installed, and links are not followed', async () => {
    const project = bench.projectOf({
      'server.js': `require('./node_modules/x');${SERVER}`,
      'node_modules/x/index.js': '',
    });
    const built = await bench.build(project);
    expect(built.lines.join()).not.toContain('Removed');
    expect(
      lstatSync(join(await unpackSlug(bench, built.artifact.artifactId), 'node_modules/x/index.js')).isFile(),
    ).toBe(true);
  });

  it('of Python are known by what they are, not by their name', async () => {
    const main = `import http.server, os; http.server.HTTPServer(('', int(os.environ['PORT'])), http.server.SimpleHTTPRequestHandler).serve_forever()`;
    const project = bench.projectOf({
      'main.py': main,
      'my-env/pyvenv.cfg': 'home = /elsewhere',
      'my-env/bin/python': '',
      'env/settings.py': 'x = 1',
    });
    const built = await bench.build(project);
    expect(built.lines).toContainEqual(expect.stringContaining('Removed my-env, which came with the source'));
    const folder = await unpackSlug(bench, built.artifact.artifactId);
    expect(readFileSync(join(folder, 'env/settings.py'), 'utf8')).toBe('x = 1');
    await using server = await runServer(bench, built.artifact);
    expect((await server.get()).status).toBe(200);
  });
});

describe('a build that tries to be clever with what is packed', () => {
  it('gets nothing of the machine into its slug, nor anything of its own out of its folders', async () => {
    const outside = join(bench.home, 'outside');
    const settings = {
      ...noSettings,
      startCommand: 'node .lilac/serve.mjs server.js',
      buildCommand: `ln -s ${outside} .lilac; ln -s /etc/shadow slug.tar; mkdir -p /tmp/pack`,
    };
    const failed = await bench
      .build(bench.projectOf({ 'server.js': SERVER }), { settings })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(BuildFailed);
    expect(existsSync(outside)).toBe(false);
    await expect(run(['ls', outside], { env: { PATH: '/usr/bin:/bin' } })).resolves.toMatchObject({ exitCode: 2 });
  });
});
