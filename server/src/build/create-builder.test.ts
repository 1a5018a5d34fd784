import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blobKey } from '../artifacts/static-manifest.ts';
import { pathsOf } from '../config.ts';
import { start } from '../lib/exec.ts';
import { eventually } from '../testing/eventually.ts';
import { BuildFailed } from './builder.ts';
import {
  noSettings,
  openBuilderBench,
  type BenchOptions,
  type BuilderBench,
  type Built,
} from './testing/builder-bench.ts';

const environment = {
  LILAC_BUILD_MEMORY: '1024',
  LILAC_BUILD_ENV: 'OPERATORS_TOKEN',
  OPERATORS_TOKEN: 'op-1a2b3c4d',
};
let bench: BuilderBench;
beforeAll(async () => void (bench = await openBuilderBench(environment)));
afterAll(() => bench[Symbol.asyncDispose]());

/** A package of the project's own: installing needs no registry. */
const dependency = {
  'tool/package.json': '{"name":"tool","version":"1.0.0","bin":{"tool":"tool.js"}}',
  'tool/tool.js': '#!/usr/bin/env node\n',
};
/** A project that is built by one command. */
const site = (buildCommand: string): [string, BenchOptions] => [
  bench.projectOf({ 'readme.txt': '' }),
  { settings: { ...settings, buildCommand } },
];
const settings = { ...noSettings, deploymentType: 'static', outputDirectory: 'dist' } as const;

function fileOf({ artifact }: Built, path: string): string {
  const file = bench.manifestOf(artifact.artifactId).files[path];
  return readFileSync(join(bench.objectsRoot, blobKey(file?.hash ?? '')), 'utf8');
}

const leftovers = () => readdirSync(pathsOf(bench.config).builds);

describe('a build', () => {
  it('of a folder of HTML starts no sandbox, and serves it as it is', async () => {
    const built = await bench.build(bench.projectOf({ 'index.html': '<h1>Hello</h1>', 'css/a.css': 'a{}' }));
    expect(built.stages).toEqual(['fetching', 'detecting', 'packaging']);
    expect(built.lines).toEqual(['Found a folder of HTML']);
    expect(built.artifact).toMatchObject({ fileCount: 2 });
    expect(fileOf(built, '/index.html')).toBe('<h1>Hello</h1>');
    await eventually('nothing is left', () => leftovers().length === 0);
  });

  it('gives the variables of the environment to the commands byte for byte, and their secrets to no log', async () => {
    const variables = {
      ODD: `$HOME 'single' "double" # \\ \n ünï 🌸`,
      API_TOKEN: 'tok-9f8e7d6c',
      NODE_ENV: 'production',
    };
    const script = `mkdir dist; node -e "fs.writeFileSync('dist/index.html', process.env.ODD)"; echo the token is $API_TOKEN`;
    const [project, options] = site(script);
    const built = await bench.build(project, { ...options, variables });
    expect(built.stages).toEqual(['fetching', 'detecting', 'building', 'packaging']);
    expect(fileOf(built, '/index.html')).toBe(variables.ODD);
    expect(built.lines).toContain('the token is [redacted]');
    expect(built.lines.join('\n')).not.toContain('tok-9f8e7d6c');
    await eventually('nothing is left', () => leftovers().length === 0);
  });

  it('bears a variable of 30 KB, and neither its log nor its failure shows it', async () => {
    const big = randomBytes(22_500).toString('base64');
    const script = `printf '%08188d%s\\n' 0 "$API_TOKEN"; echo "$BIG"; mkdir dist; ln -s /etc "dist/$API_TOKEN.html"`;
    const [project, options] = site(script);
    const lines: string[] = [];
    const hooks = { onLine: (line: string) => void lines.push(line) };
    const failed = await bench
      .build(project, { ...options, variables: { BIG: big, API_TOKEN: 'tok-9f8e7d6c' }, hooks })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(BuildFailed);
    expect((failed as Error).message).toContain('[redacted].html');
    expect(lines).toContain('[redacted]');
    expect(lines).toContain(`${'0'.repeat(8188)}[red… [cut]`);
    expect(lines.join('\n')).not.toContain('tok-');
  });

  it("sees the platform's variables that the operator named, and no log shows them", async () => {
    const built = await bench.build(...site('mkdir dist; echo $OPERATORS_TOKEN | tee dist/index.html'));
    expect(fileOf(built, '/index.html')).toBe('op-1a2b3c4d\n');
    expect(built.lines).toContain('[redacted]');
    expect(built.lines.join('\n')).not.toContain('op-1a2b3c4d');
  });

  it('fails with what the command was and how it ended', async () => {
    await expect(bench.build(...site('echo broken; exit 3'))).rejects.toThrow(
      new BuildFailed('The build command failed with exit code 3: echo broken; exit 3.'),
    );
    await eventually('nothing is left', () => leftovers().length === 0);
  });

  it('that runs out of memory says so, and what the limit is', async () => {
    const hog = `node --max-old-space-size=8192 -e "const a=[]; for(;;) a.push(Buffer.alloc(1048576, 1))"`;
    await expect(bench.build(...site(hog))).rejects.toThrow(/ran out of memory \(limit 1024 MiB\)/);
  });

  it('without its output names what was looked for and what there is', async () => {
    await expect(bench.build(...site('mkdir -p site/deep; touch site/x'))).rejects.toThrow(
      /The output directory dist is not there after the build\. The folders there are: site\./,
    );
    await expect(bench.build(...site('mkdir dist'))).rejects.toThrow(/output directory dist is empty/);
  });

  it('takes nothing from outside its project, whatever links say', async () => {
    await expect(bench.build(...site('ln -s /etc dist'))).rejects.toThrow(BuildFailed);
    await expect(bench.build(...site('mkdir dist; ln -s /etc/passwd dist/index.html'))).rejects.toThrow(
      /leads out of the output/,
    );
    const linked = bench.projectOf({ 'index.html': 'x' });
    symlinkSync(bench.home, join(linked, 'dist'));
    await expect(bench.build(linked, { settings })).rejects.toThrow(BuildFailed);
  });

  it('is really over when it is cancelled', async () => {
    const aborting = new AbortController();
    const [project, options] = site('echo running; sleep 1000');
    const building = bench.build(project, {
      ...options,
      hooks: {
        signal: aborting.signal,
        onLine: (line) => line === 'running' && aborting.abort(new Error('cancelled')),
      },
    });
    await expect(building).rejects.toThrow('cancelled');
    await eventually('nothing is left', () => leftovers().length === 0);
  });
});

/** Of a site that uses it. */
const manifest = (scripts: Record<string, string>) =>
  JSON.stringify({ name: 'site', dependencies: { tool: 'file:tool' }, scripts });

describe('what is kept between builds', () => {
  const lock = JSON.stringify({
    name: 'site',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'site', dependencies: { tool: 'file:tool' } },
      tool: { version: '1.0.0', bin: { tool: 'tool.js' } },
      'node_modules/tool': { resolved: 'tool', link: true },
    },
  });
  const kept = { environmentId: 'env_kept' };
  const reused = expect.stringContaining('those of an earlier build are used') as string;

  it('are told after the stage that fetches the tools has begun', async () => {
    const heard: string[] = [];
    const hooks = {
      onStage: async (stage: string) => void heard.push(stage),
      onLine: (line: string) => void heard.push(line),
    };
    const project = bench.projectOf({
      ...dependency,
      'package.json': manifest({ build: 'mkdir dist; touch dist/index.html' }),
      'package-lock.json': lock,
    });
    await bench.build(project, { settings, hooks });
    expect(heard[heard.indexOf('installing') + 1]).toMatch(/^Using Node \d/);
    expect(heard.filter((each) => each === 'building')).toHaveLength(1);
  });

  it('are installed packages, which the next build sees, and which no build can change', async () => {
    const build =
      'mkdir -p dist; ls -a node_modules > dist/index.html; echo mine > node_modules/mine; rm -rf node_modules/tool';
    const project = bench.projectOf({ ...dependency, 'package.json': manifest({ build }), 'package-lock.json': lock });
    const first = await bench.build(project, { settings, ...kept });
    const second = await bench.build(project, { settings, ...kept });
    expect(first.lines).not.toContainEqual(reused);
    expect(second.lines).toContainEqual(reused);
    expect(fileOf(second, '/index.html')).toBe(fileOf(first, '/index.html'));
    expect(fileOf(second, '/index.html')).toContain('tool');
    expect(fileOf(second, '/index.html')).not.toContain('mine');
  });

  it("are not the outcome of the project's own install scripts: these run again on the new files", async () => {
    const scripts = { postinstall: 'cp text generated', build: 'mkdir -p dist; cp generated dist/index.html' };
    const files = { ...dependency, 'package.json': manifest(scripts), 'package-lock.json': lock };
    await bench.build(bench.projectOf({ ...files, text: 'old' }), { settings, ...kept });
    const second = await bench.build(bench.projectOf({ ...files, text: 'new' }), { settings, ...kept });
    expect(second.lines).toContainEqual(reused);
    expect(fileOf(second, '/index.html')).toBe('new');
  });

  it('are given up when anything changed that decides over the packages', async () => {
    const build = 'mkdir -p dist; echo x > dist/index.html';
    const files = { ...dependency, 'package.json': manifest({ build }), 'package-lock.json': lock };
    await bench.build(bench.projectOf(files), { settings, ...kept });
    const changed = await bench.build(bench.projectOf({ ...files, '.npmrc': 'legacy-peer-deps=true' }), {
      settings,
      ...kept,
    });
    expect(changed.lines).not.toContainEqual(reused);
  });

  it('are never another environment’s, and go when the environment goes', async () => {
    const build = 'mkdir -p dist; echo x > dist/index.html';
    const project = bench.projectOf({ ...dependency, 'package.json': manifest({ build }), 'package-lock.json': lock });
    const other = await bench.build(project, { settings, environmentId: 'env_other' });
    expect(other.lines).not.toContainEqual(reused);
    const folder = join(pathsOf(bench.config).buildCaches, 'environments', 'env_other');
    expect(existsSync(folder)).toBe(true);
    await bench.builder.forgetEnvironment('env_other');
    expect(existsSync(folder)).toBe(false);
  });

  it('a lock file that does not fit is told, and npm install takes its place', async () => {
    const build = 'mkdir -p dist; ls node_modules > dist/index.html';
    const files = {
      ...dependency,
      'package.json': manifest({ build }),
      'package-lock.json': '{"name":"site","lockfileVersion":3,"packages":{"":{"name":"site"}}}',
    };
    const built = await bench.build(bench.projectOf(files), { settings, environmentId: 'env_stale' });
    expect(built.lines).toContainEqual(expect.stringContaining('The lock file does not fit package.json'));
    expect(built.lines.filter((line) => line.startsWith('npm error'))).toEqual([]);
    expect(fileOf(built, '/index.html')).toContain('tool');
  });
});

describe('a worker that was killed', () => {
  it('leaves nothing after a sweep, and what a living one builds is left alone', async () => {
    const builds = pathsOf(bench.config).builds;
    const dead = start([process.execPath, '-e', ''], { env: {} });
    await eventually('it has ended', () => dead.exitCode !== null);
    mkdirSync(join(builds, 'dep_dead', 'source'), { recursive: true });
    writeFileSync(join(builds, 'dep_dead.lock'), JSON.stringify({ pid: dead.pid, startTime: '1' }));
    mkdirSync(join(builds, 'dep_unlocked'), { recursive: true });
    const seen: string[][] = [];
    const [project, options] = site('mkdir dist; echo x > dist/index.html');
    await bench.build(project, {
      ...options,
      deploymentId: 'dep_living',
      hooks: {
        onStage: async () => {
          await bench.builder.sweep();
          seen.push(readdirSync(builds));
        },
      },
    });
    expect(seen.at(-1)).toEqual(['dep_living', 'dep_living.lock']);
    await eventually('nothing is left', () => leftovers().length === 0);
  });

  it('leaves no half-written cache that a build would use', async () => {
    const installed = join(pathsOf(bench.config).buildCaches, 'environments', 'env_kept', 'installed');
    const keys = readdirSync(installed);
    for (const key of keys) rmSync(join(installed, key, 'entry.json'));
    await bench.builder.sweep();
    expect(keys.length).toBeGreaterThan(0);
    expect(readdirSync(installed)).toEqual([]);
  });
});
