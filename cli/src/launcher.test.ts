import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as FindProgram from '../../server/build/find-program.mjs';

/** A project's folder with the launcher in it, and programs that tell how they were started. */
const project = mkdtempSync(join(tmpdir(), 'lilac-launcher-'));
const launcher = join(project, 'cli', 'bin', 'lilac.mjs');
const packages = join(project, 'node_modules');
const bundled = join(packages, `node-${process.platform}-${process.arch}`);
const ownServer = join(import.meta.dirname, '..', '..', 'server');
const serverManifest = readFileSync(join(ownServer, 'package.json'));
const probe = `
  if (process.argv.includes('wait')) {
    const stop = (signal) => { console.log(signal); process.exit(40); };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
    setInterval(() => {}, 1000);
  }
  console.log(JSON.stringify({ node: process.versions.node, argv: process.argv.slice(2), at: import.meta.url }));
  if (process.argv.includes('hung-up')) process.exit(129);
  if (process.argv.includes('die')) process.kill(process.pid, 'SIGKILL');
  process.exitCode = 7;
`;

beforeAll(() => {
  for (const folder of ['cli/bin', 'cli/src', 'server/src', 'node_modules/@lilac']) {
    mkdirSync(join(project, folder), { recursive: true });
  }
  copyFileSync(join(import.meta.dirname, '..', 'bin', 'lilac.mjs'), launcher);
  writeFileSync(join(project, 'cli', 'package.json'), '{"type":"module"}');
  writeFileSync(join(project, 'server', 'package.json'), serverManifest);
  cpSync(join(ownServer, 'build'), join(project, 'server', 'build'), { recursive: true });
  for (const program of ['cli', 'server']) writeFileSync(join(project, program, 'src', 'main.ts'), probe);
  symlinkSync('../../server', join(packages, '@lilac', 'server'));
  mkdirSync(join(bundled, 'bin'), { recursive: true });
  writeFileSync(join(bundled, 'bin', 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

const newNode: readonly string[] = [];
/** The launcher asks for the version, so this Node says that it is an older one; the next one does not. */
const oldNode = [
  '--import',
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})',
];

function startedBy(nodeArguments: readonly string[], ...argv: string[]) {
  const started = spawnSync(process.execPath, [...nodeArguments, launcher, ...argv], { encoding: 'utf8' });
  const { stdout, stderr, status } = started;
  const said = stdout.startsWith('{') ? (JSON.parse(stdout) as { node: string; argv: string[]; at: string }) : null;
  return { said, stderr, status };
}

function without<T>(path: string, work: () => T): T {
  renameSync(path, `${path}.away`);
  try {
    return work();
  } finally {
    renameSync(`${path}.away`, path);
  }
}

describe('the launcher', () => {
  it.each(['server', 'role', 'admin', 'doctor', 'backup', 'restore'])('gives "%s" to the server', (word) => {
    const { said, status } = startedBy(newNode, word, '--x');
    expect(said).toMatchObject({ argv: [word, '--x'] });
    expect(said?.at).toContain('/server/src/main.ts');
    expect(status).toBe(7);
  });

  it.each([['apps', 'list'], ['--help'], []])('gives everything else to the command line: %s', (...argv) => {
    const { said, status } = startedBy(newNode, ...argv);
    expect(said).toMatchObject({ argv });
    expect(said?.at).toContain('/cli/src/main.ts');
    expect(status).toBe(7);
  });

  it('runs what was built of the server while it is of these sources, and the sources else', async () => {
    const finder = join(project, 'server', 'build', 'find-program.mjs');
    const { buildsFolder, nameOfBuild } = (await import(finder)) as typeof FindProgram;
    const built = join(buildsFolder, nameOfBuild());
    mkdirSync(built, { recursive: true });
    writeFileSync(join(built, 'main.mjs'), probe);
    expect(startedBy(newNode, 'doctor').said?.at).toContain(`${built}/main.mjs`);
    writeFileSync(join(project, 'server', 'src', 'added.ts'), '');
    expect(startedBy(newNode, 'doctor').said?.at).toContain('/server/src/main.ts');
    rmSync(join(project, 'server', 'src', 'added.ts'));
    expect(startedBy(newNode, 'doctor').said?.at).toContain(`${built}/main.mjs`);
    rmSync(buildsFolder, { recursive: true });
  });

  it('says what to do where the server is not installed', () => {
    const { stderr, status } = without(join(packages, '@lilac', 'server'), () => startedBy(newNode, 'doctor'));
    expect(status).toBe(1);
    expect(stderr).toContain('"lilac doctor" is a command for whoever runs the platform');
    expect(stderr).toContain('npm ci');
  });
});

describe('the launcher on an older Node', () => {
  it('goes on with the Node that npm brought: same arguments, same exit code', () => {
    const { said, status } = startedBy(oldNode, 'apps', 'a b', '--json');
    expect(said).toMatchObject({ node: process.versions.node, argv: ['apps', 'a b', '--json'] });
    expect(status).toBe(7);
  });

  it('says what to do where npm brought none', () => {
    const { stderr, status } = without(bundled, () => startedBy(oldNode, 'health'));
    expect(status).toBe(1);
    expect(stderr).toContain('Lilac needs Node 24 or newer');
    expect(stderr).toContain('npm ci');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('passes %s on and waits for the end', async (signal) => {
    const child = spawn(process.execPath, [...oldNode, launcher, 'wait'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = text(child.stdout);
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([40, null]);
    expect(await output).toContain(signal);
  });

  it('ends by SIGHUP, not by an abort, where the terminal was closed', () => {
    const { signal } = spawnSync(process.execPath, [...oldNode, launcher, 'hung-up'], { stdio: 'ignore' });
    expect(signal).toBe('SIGHUP');
  });

  it('ends like a program that a signal ended', () => {
    expect(startedBy(oldNode, 'die').status).toBe(137);
  });
});
