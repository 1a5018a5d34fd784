import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** What is run for `npm run sbom`. */
async function list(folder, ...args) {
  const {
    code = 0,
    stdout,
    stderr,
  } = await promisify(execFile)(process.execPath, [join(folder, 'scripts', 'sbom.mjs'), ...args], {
    maxBuffer: 256 * 1024 * 1024,
  }).catch((error) => error);
  return { exitCode: code, stdout, stderr };
}

/** Name and version of each place in the lock file that holds something here. */
function inLock(isMeant) {
  const { packages } = readJson(join(root, 'package-lock.json'));
  const { packages: installed } = readJson(join(root, 'node_modules', '.package-lock.json'));
  const places = Object.entries(packages).filter(
    ([path, about]) =>
      path.includes('node_modules/') && !about.link && Object.hasOwn(installed, path) && isMeant(about),
  );
  return named(
    places.map(([path, { name, version }]) => ({ name: name ?? path.split('node_modules/').at(-1), version })),
  );
}

const named = (components) => new Set(components.map(({ name, version }) => `${name}@${version}`));
const WORKSPACES = readJson(join(root, 'package.json')).workspaces;
const isOurs = ({ name }) => WORKSPACES.includes(name.replace('@lilac/', ''));

describe('the list of what is installed', () => {
  it.each([
    ['all of it', [], () => true],
    ['without what only development needs', ['--omit', 'dev'], ({ dev }) => !dev],
  ])('has the very packages and versions of the lock file: %s', async (_, args, isMeant) => {
    const { exitCode, stdout, stderr } = await list(root, ...args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const bill = JSON.parse(stdout);
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) });
    const fetched = bill.components.filter((component) => !isOurs(component));
    expect(named(fetched)).toEqual(inLock(isMeant));
    expect(fetched.length).toBeGreaterThan(100);
    const unhashed = fetched.filter(
      ({ hashes, purl }) => hashes?.[0]?.alg !== 'SHA-512' || !purl?.startsWith('pkg:npm/'),
    );
    expect(unhashed.map(({ name }) => name)).toEqual([]);
  });

  it('is not given for what nobody asked', async () => {
    expect(await list(root, '--omit', 'all')).toMatchObject({ exitCode: 1, stdout: '' });
  });
});

describe('where a package is missing', () => {
  let clone;
  beforeEach(() => (clone = mkdtempSync(join(tmpdir(), 'lilac-clone-'))));
  afterEach(() => rmSync(clone, { recursive: true }));

  it('says what to do, without a stack', async () => {
    cpSync(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true });
    const about = { name: 'whole', version: '1.0.0', dependencies: { a: '1.0.0' } };
    writeFileSync(join(clone, 'package.json'), JSON.stringify(about));
    const packages = { '': about, 'node_modules/a': { version: '1.0.0' } };
    writeFileSync(join(clone, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
    mkdirSync(join(clone, 'node_modules'));
    const { exitCode, stdout, stderr } = await list(clone);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^lilac: npm does not list the packages/);
    expect(stderr).toContain('npm ci --ignore-scripts');
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
