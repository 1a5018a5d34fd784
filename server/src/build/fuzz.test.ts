import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_READ_BYTES, type SourceTree } from '../source/source-tree.ts';
import { assertFuzzed, fuzzRuns } from '../testing/fuzz-settings.ts';
import { growsLinearly, filled } from '../testing/grows-linearly.ts';
import { BuildFailed } from './builder.ts';
import { families } from './detect/all-families.ts';
import type { ProjectFiles } from './detect/project-files.ts';
import { KEYWORDS, parseDockerfile } from './image/parse-dockerfile.ts';
import { NOTHING_SET, PlanRefused } from './plan.ts';
import { detectPlan } from './detect/detect-plan.ts';
import { resolveScript, startText } from './run/start-text.ts';
import { toolsCalledBy } from './toolchain/needed-tools.ts';

const SIGNS = [
  ...' \n\r\t/\\*#=:;,.-_$!?|&<>()[]{}"\'`a0A@%^~'.split(''),
  '/**/',
  '/*',
  '//',
  '<!--',
  '\\"',
  '\r\n',
  '\n ',
  '{"a":',
  '- ',
  '\u2028',
];

/** The words that expressions of this folder look for: what begins as they do comes the furthest. */
const WORDS = [
  ...new Set(
    readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('test'))
      .flatMap(
        (file) => readFileSync(join(import.meta.dirname, file), 'utf8').match(/\/(?:\\.|[^/\\\n*])+\/[gimsuy]*/g) ?? [],
      )
      .flatMap((expression) => expression.replaceAll(/\\[bsSwdDW]/g, ' ').match(/[A-Za-z_]{2,}[=:]?/g) ?? []),
  ),
];
const sign = fc.constantFrom(...SIGNS);
const word = fc.constantFrom(...WORDS);
const pump = fc
  .array(fc.oneof({ weight: 3, arbitrary: sign }, word), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const around = fc.array(fc.oneof(sign, word), { maxLength: 3 }).map((parts) => parts.join(''));
const hostile = fc.record({ before: around, pump, after: fc.oneof(fc.constant(''), around) });
type Hostile = typeof hostile extends fc.Arbitrary<infer Text> ? Text : never;

const textOf = ({ pump: repeated, before, after }: Hostile, length: number) =>
  filled(length, repeated, { before, after });

/** What a person writes, with such a text in one place. */
const asManifest = {
  whole: (text: string) => text,
  script: (text: string) =>
    JSON.stringify({ scripts: { build: text, start: text }, dependencies: { nuxt: '2', express: '' } }),
  version: (text: string) =>
    JSON.stringify({ packageManager: `pnpm@${text}`, engines: { node: text }, volta: { node: text } }),
  workspaces: (text: string) =>
    JSON.stringify({ name: 'a', workspaces: [text, `!${text}`], dependencies: { astro: '5' } }),
  deno: (text: string) => JSON.stringify({ tasks: { build: text }, imports: { [text]: text } }),
} as const;

/** Deterministic, so that a failure can be seen again. */
function isThere(path: string, seed: number): boolean {
  let hash = seed;
  for (const character of path) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return (hash >>> 7) % 3 === 0;
}

/** A project in which is whatever is asked for, or is not, as the seed has it; and in each file the same. */
function anyProject(seed: number, text: string, read: (path: string) => void): ProjectFiles {
  const names = new Set(['a.py', 'main.tf', 'a.csproj', 'a.sln'].filter((name) => isThere(name, seed)));
  const has = (path: string) => isThere(path, seed);
  const asked = (set: Set<string>) => Object.assign(set, { has });
  return {
    fileNames: asked(names),
    folderNames: asked(new Set(['src', 'docs', 'a'])),
    list: async () => [
      { name: 'a', kind: 'folder' },
      { name: 'a.py', kind: 'file' },
    ],
    has: async (path) => has(path),
    hasFolder: async (path) => has(path),
    findFirst: async (paths) => paths.find(has) ?? null,
    read: async (path) => {
      if (!has(path)) return null;
      read(path);
      return text;
    },
  };
}

const nothing: SourceTree = { list: async () => [], read: async () => null };

describe('texts of tenants', () => {
  it('in whatever file detection reads, are read in time that grows as they do, or refused', async () => {
    const read = new Set<string>();
    const property = fc.asyncProperty(
      hostile,
      fc.constantFrom(...families),
      fc.nat(1000),
      fc.constantFrom(...Object.values(asManifest)),
      async (text, family, seed, manifest) => {
        await expect(
          growsLinearly({
            largest: MAX_READ_BYTES,
            make: (length) => manifest(textOf(text, length)),
            work: async (content) => {
              const files = anyProject(seed, content, (path) => read.add(path));
              const project = { tree: nothing, rootDirectory: '', files, chosenFramework: null };
              await family.detect(project).catch(refusedOnly);
            },
          }),
        ).resolves.toBe(true);
      },
    );
    await assertFuzzed(property, fuzzRuns(250, 0.5), () => read.size > 60);
    // The names are those that the rules have asked for.
    expect(read.size).toBeGreaterThan(60);
  });

  it('nested without end are no fault of the platform, wherever a file is data', async () => {
    const names = [
      'package.json',
      'angular.json',
      'deno.json',
      'elm.json',
      'turbo.json',
      'config.json',
      'package.yaml',
      'config.yaml',
      'Cargo.toml',
      'pyproject.toml',
    ];
    for (const name of names) {
      for (const opening of ['[', '{"a":', 'a = [', '- ', '? ', '{a: ']) {
        const tree: SourceTree = {
          list: async (folder) =>
            folder === '' ? [name, 'pnpm-lock.yaml'].map((each) => ({ name: each, kind: 'file' })) : [],
          read: async () => filled(MAX_READ_BYTES / 16, opening),
        };
        const outcome = detectPlan(tree, NOTHING_SET).then(() => undefined, refusedOnly);
        await expect(outcome).resolves.toBeUndefined();
      }
    }
  });

  it('that start a program are understood in time that grows as they do', async () => {
    const place = { rootDirectory: '', workspaceDirectory: '', language: 'node', hasPython: true } as const;
    const work = (text: string) => {
      startText(text, place);
      resolveScript(text, { start: text });
      toolsCalledBy(text);
    };
    const property = fc.asyncProperty(hostile, async (text) => {
      const make = (length: number) => textOf(text, length);
      expect(await growsLinearly({ largest: MAX_READ_BYTES, make, work })).toBe(true);
    });
    await assertFuzzed(property, fuzzRuns(100, 0.2));
  });

  it('that are Dockerfiles are read in time that grows as they do, or refused', async () => {
    const beginnings = ['', ...KEYWORDS.map((keyword) => `${keyword} `)];
    const property = fc.asyncProperty(hostile, fc.constantFrom(...beginnings), async (text, beginning) => {
      const make = (length: number) => beginning + textOf(text, length);
      expect(await growsLinearly({ largest: 128 * 1024, make, work: readDockerfile })).toBe(true);
    });
    await assertFuzzed(property, fuzzRuns(100, 0.2));
  });
});

function refusedOnly(error: unknown): void {
  if (!(error instanceof PlanRefused)) throw error;
}

function readDockerfile(content: string): void {
  try {
    parseDockerfile(content);
  } catch (error) {
    if (!(error instanceof BuildFailed)) throw error;
  }
}
