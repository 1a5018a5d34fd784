import { describe, expect, it } from 'vitest';
import { MAX_READ_BYTES } from '../../source/source-tree.ts';
import { growsLinearly, filled } from '../../testing/grows-linearly.ts';
import { PlanRefused } from '../plan.ts';
import { planFor } from './testing/plan-for.ts';

type Files = Readonly<Record<string, unknown>>;

/** Of a file, what is over and over in it, and what is before that. */
const texts: readonly [file: string, pump: string, before?: string, others?: Files][] = [
  ['Gemfile', '\n'],
  ['Gemfile', ' \n'],
  ['Gemfile', "gem '\n"],
  ['mix.exs', '\n'],
  ['Dockerfile', '\n'],
  ['settings.gradle', '\n', '', { 'build.gradle': '' }],
  ['build.gradle', '/*a'],
  ['pom.xml', '<!--'],
  ['a.csproj', '<!--'],
  ['a.sln', '"'],
  ['go.mod', '\n'],
  ['go.work', '\n', 'use'],
  ['go.work', ' ', 'use'],
  ['Procfile', '\n', 'web', { 'start.sh': '' }],
  ['Procfile', 'web\n', '', { 'start.sh': '' }],
  ['mkdocs.yml', '\n', 'theme:'],
  ['mkdocs.yml', '\n ', 'theme:'],
  ['pelicanconf.py', "PATH='\n"],
  ['docs/conf.py', 'extensions\n', '', { 'requirements.txt': '' }],
  ['requirements.txt', '\n', '', { 'docs/conf.py': '' }],
  ['setup.py', 'install_requires=['],
  ['main.py', 'a,\n', '', { 'requirements.txt': 'fastapi\nuvicorn' }],
  ['main.py', 'a:\r', '', { 'requirements.txt': 'fastapi\nuvicorn' }],
  ['main.py', 'def create_app(\n', '', { 'requirements.txt': 'fastapi\nuvicorn' }],
  ['main.py', '\n', '', { 'requirements.txt': 'streamlit' }],
  ['index.html', '<script a', '', { 'elm.json': {}, 'src/Main.elm': '' }],
  ['index.html', ' src="', '<script', { 'elm.json': {}, 'src/Main.elm': '' }],
  ['index.js', '\n', '', { 'package.json': { dependencies: { express: '5' } } }],
  ['index.js', '/*a', '', { 'package.json': { dependencies: { express: '5' } } }],
  ['index.js', 'export {\n', '', { 'package.json': { dependencies: { express: '5' } } }],
  [
    'vite.config.js',
    '\\"',
    '',
    { 'package.json': { devDependencies: { vite: '8' }, scripts: { build: 'vite build' } } },
  ],
  [
    'vite.config.js',
    '(/[',
    '',
    { 'package.json': { devDependencies: { vite: '8' }, scripts: { build: 'vite build' } } },
  ],
  [
    'vite.config.js',
    '\\`',
    '`',
    { 'package.json': { devDependencies: { vite: '8' }, scripts: { build: 'vite build' } } },
  ],
  ['package.json5', '\\"', '', { 'pnpm-lock.yaml': '' }],
  ['package.json5', '/*a', '', { 'pnpm-lock.yaml': '' }],
  ['.nvmrc', '1||', '', { 'package.json': { engines: { node: '>=1' } } }],
  ['runtime.txt', '1,', '', { 'requirements.txt': 'flask' }],
  ['_config.yml', 'a: 1\n', '', { '_posts/a.md': '' }],
  ['Cargo.toml', 'a.', '', {}],
];

/** Of a manifest, what a text in it is. */
const values: readonly [what: string, pump: string, before: string, manifest: (text: string) => Files][] = [
  ['nuxt', 'nuxt ', '', (build) => ({ 'package.json': { scripts: { build }, dependencies: { nuxt: '4' } } })],
  ['deno', 'vite ', '', (build) => ({ 'deno.json': { tasks: { build } } })],
  ['deno', 'astro ', '', (build) => ({ 'deno.json': { tasks: { build } } })],
  ['start', ' ---a', 'npx', (start) => ({ 'package.json': { scripts: { start }, dependencies: { express: '5' } } })],
  ['engines', '1||', '', (node) => ({ 'package.json': { engines: { node } }, '.nvmrc': node })],
  [
    'astro',
    '/',
    'export default { outDir: "',
    (text) => ({ 'astro.config.mjs': `${text}x" }`, 'package.json': { dependencies: { astro: '5' } } }),
  ],
  [
    'astro',
    'astro-',
    "adapter: import '",
    (text) => ({ 'astro.config.mjs': `${text}'`, 'package.json': { dependencies: { astro: '5' } } }),
  ],
  [
    'yarn',
    'yarn-1.1.1',
    'yarnPath: ',
    (text) => ({ '.yarnrc.yml': text, 'package.json': { dependencies: { express: '5' } } }),
  ],
  ['workspaces', '/', 'a', (text) => ({ 'package.json': { workspaces: [`${text}x`] } })],
  [
    'names',
    'a',
    '',
    (text) => ({
      'vite.config.js': `${`${text.slice(0, 8000)}: {`.repeat(12)}${'a:1,'.repeat(4000)}`,
      'package.json': { devDependencies: { vite: '8' } },
    }),
  ],
];

const readOrRefused = (files: Files) =>
  planFor(files).catch((error: unknown) => {
    if (!(error instanceof PlanRefused)) throw error;
  });

describe('a file that was written to keep us busy', () => {
  it.each(texts)(
    'is read in time that grows as it does: %s of %j behind %j',
    async (file, pump, before = '', others = {}) => {
      await expect(
        growsLinearly({
          largest: MAX_READ_BYTES,
          make: (length) => filled(length, pump, { before }),
          work: (text) => readOrRefused({ ...others, [file]: text }),
        }),
      ).resolves.toBe(true);
    },
  );

  it.each(values)(
    'is read in time that grows as a text in it does: %s of %j behind %j',
    async (_, pump, before, manifest) => {
      await expect(
        growsLinearly({
          largest: MAX_READ_BYTES,
          make: (length) => filled(length, pump, { before }),
          work: (text) => readOrRefused(manifest(text)),
        }),
      ).resolves.toBe(true);
    },
  );

  it.each(['{a,b}'.repeat(30), '*a'.repeat(30), '*(a|aa)b', 'a'.repeat(300), '{1..99999999}'])(
    'is refused where what it names workspaces by is too involved: %s',
    async (glob) => {
      await expect(
        planFor({ 'package.json': { name: 'a', workspaces: [glob] }, 'a/package.json': {} }),
      ).rejects.toThrow(/too involved a pattern/);
    },
  );
});
