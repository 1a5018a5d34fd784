import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { BuildFailed } from '../builder.ts';
import { makeImage, type ImageOptions } from './build-image.ts';
import type { BuiltImage, ImageMaker } from './image-maker.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

const BUILT: BuiltImage = { layerCount: 1, ports: [], command: ['x'], env: {} };

type Moment = 'prepare' | 'bring' | 'build' | 'read' | 'never';

/** Does something else at some moment of a build. What is not caught there fails the whole run of tests. */
function attempt(moment: Moment, otherwise: (cancel: AbortController) => void) {
  const root = mkdtempSync(join(tmpdir(), 'lilac-cancelled-'));
  folders.push(root);
  const source = join(root, 'source');
  mkdirSync(source);
  writeFileSync(join(source, 'Dockerfile'), 'FROM node:22\nCOPY . .\n');
  // More than a pipe holds: tar waits until somebody reads.
  writeFileSync(join(source, 'large'), Buffer.alloc(1e6));
  const cancel = new AbortController();
  const at = async (each: Moment) => {
    await turn();
    if (each === moment) otherwise(cancel);
  };
  const seen: { context?: Readable } = {};
  const images = {
    labelsFor: () => ({}),
    prepare: () => at('prepare'),
    bring: async () => {
      await at('bring');
      return `sha256:${'0'.repeat(64)}`;
    },
    async build({ context, signal }) {
      seen.context = context;
      await at('build');
      signal.throwIfAborted();
      context.once('data', () => void at('read'));
      for await (const chunk of context) void chunk;
      return BUILT;
    },
  } as Partial<ImageMaker> as ImageMaker;
  const options = {
    config: { builds: { memoryMb: 256, cpus: 1, hostVariables: {} } },
    images,
    request: { environmentId: 'env_1', variables: {} },
    hooks: { onLine: () => {} },
    plan: { rootDirectory: '' },
    workspace: { source, root },
    signal: cancel.signal,
  } as unknown as ImageOptions;
  return { seen, done: makeImage(options, 'art_1') };
}

describe('the build of an image', () => {
  it.each(['prepare', 'bring', 'build', 'read'] as const)(
    'that is cancelled (%s) ends, and nobody else with it',
    async (moment) => {
      const { seen, done } = attempt(moment, (cancel) => cancel.abort());
      await expect(done).rejects.toThrow(/abort/i);
      if (seen.context) await eventually('its files are let go', () => seen.context!.closed);
    },
  );

  it.each(['prepare', 'bring', 'build'] as const)(
    'that is refused (%s) says why, and lets its files go',
    async (moment) => {
      const { seen, done } = attempt(moment, () => {
        throw new BuildFailed('not here');
      });
      await expect(done).rejects.toThrow('not here');
      if (seen.context) await eventually('its files are let go', () => seen.context!.closed);
    },
  );

  it('that nobody disturbs is built', async () => {
    expect(await attempt('never', () => {}).done).toEqual(BUILT);
  });
});
