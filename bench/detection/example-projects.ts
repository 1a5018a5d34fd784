import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Expected } from './judge.ts';

const root = join(import.meta.dirname, '../../examples');

/** The examples of this repository, each with what its expect.json says. */
export function exampleProjects() {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => {
    const text = readFileSync(join(root, name, 'expect.json'), 'utf8');
    const { rootDirectory = null, ...expected } = JSON.parse(text) as Expected & { rootDirectory?: string | null };
    return { id: name, folder: join(root, name), rootDirectory, expected };
  });
}
