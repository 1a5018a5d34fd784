import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFolderTree } from '../../source/folder-tree.ts';
import type { BuildSettings } from '../plan.ts';
import { detectPlan } from './detect-plan.ts';
import { noSettings } from './testing/plan-for.ts';

const root = join(import.meta.dirname, '../../../../examples');
const names = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

describe('the examples', () => {
  it('are at least 40, of at least 25 frameworks and 8 languages', () => {
    const expected = names.map(expectationOf);
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(new Set(expected.map(({ framework }) => framework).filter(Boolean)).size).toBeGreaterThanOrEqual(25);
    expect(new Set(expected.map(({ language }) => language)).size).toBeGreaterThanOrEqual(8);
  });

  it('are all named in the README', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    expect(names.filter((name) => !readme.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('have lock files that name no registry', () => {
    const locks = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /(package-lock\.json|pnpm-lock\.yaml|poetry\.lock|Cargo\.lock)$/.test(path),
    );
    expect(locks.length).toBeGreaterThanOrEqual(4);
    for (const lock of locks)
      expect(readFileSync(join(root, lock), 'utf8'), `in ${lock}`).not.toMatch(/"resolved"|https?:\/\//);
  });

  it.each(names)('%s is planned as it expects', async (name) => {
    const { rootDirectory = null, settings, ...expected } = expectationOf(name);
    const plan = await detectPlan(openFolderTree(join(root, name)), { ...noSettings, rootDirectory, ...settings });
    const { packageManager, installCommand, ...rest } = plan;
    expect({ ...rest, packageManager: packageManager?.name, install: installCommand }).toMatchObject(expected);
  });
});

interface Expectation extends Record<string, unknown> {
  rootDirectory?: string;
  settings?: Partial<BuildSettings>;
}

function expectationOf(name: string): Expectation {
  return JSON.parse(readFileSync(join(root, name, 'expect.json'), 'utf8')) as Expectation;
}
