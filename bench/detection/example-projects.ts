import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildSettings } from '../../server/src/build/plan.ts';
import type { Expected } from './judge.ts';

const root = join(import.meta.dirname, '../../examples');

interface Expectation extends Expected {
  rootDirectory?: string;
  settings?: Partial<BuildSettings>;
}

/**
 * The examples of this repository, each with what its expect.json says. What a setting says is not expected of anybody.
 */
export function exampleProjects() {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => {
    const text = readFileSync(join(root, name, 'expect.json'), 'utf8');
    const { rootDirectory = null, settings, ...stated } = JSON.parse(text) as Expectation;
    const expected = Object.fromEntries(Object.entries(stated).filter(([field]) => !(field in (settings ?? {}))));
    return { id: name, folder: join(root, name), settings: { rootDirectory, ...settings }, expected };
  });
}
