import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeImage, type ImageOptions } from '../../../build/image/build-image.ts';
import type { BuiltImage, ImageBuild, ImageMaker } from '../../../build/image/image-maker.ts';

export interface Attempt {
  artifactId: string;
  lines: string[];
  done: Promise<BuiltImage>;
}

export interface Changes {
  variables?: Record<string, string>;
  limits?: Partial<ImageBuild['limits']>;
  signal?: AbortSignal;
}

let count = 0;

/** Builds a Dockerfile; beside it are a program without libraries, `init`, and a server. */
export function attemptImage(
  images: ImageMaker,
  { work, text, changes }: { work: string; text: string; changes: Changes },
): Attempt {
  const root = join(work, String(count++));
  const source = join(root, 'source');
  mkdirSync(source, { recursive: true });
  copyFileSync('/usr/bin/docker-init', join(source, 'init'));
  writeFileSync(join(source, 'Dockerfile'), text);
  writeFileSync(join(source, 'server.js'), IMAGE_SERVER);
  const lines: string[] = [];
  const limited: ImageMaker = {
    ...images,
    build: (request) => images.build({ ...request, limits: { ...request.limits, ...changes.limits } }),
  };
  const options = {
    config: { builds: { memoryMb: 256, cpus: 2, hostVariables: {} } },
    images: limited,
    request: { environmentId: 'env_1', variables: changes.variables ?? {} },
    hooks: { onLine: (line: string) => void lines.push(line) },
    plan: { rootDirectory: '' },
    workspace: { source, root },
    signal: changes.signal ?? new AbortController().signal,
  } as unknown as ImageOptions;
  const artifactId = `art_${process.pid}_${count}`;
  return { artifactId, lines, done: makeImage(options, artifactId) };
}

/** Tells what it sees of where it runs. */
export const IMAGE_SERVER = `
const fs = require('node:fs');
const wrote = ['/srv/app/new', '/etc/new', '/data/new', '/tmp/new'].filter((path) => {
  try { fs.writeFileSync(path, 'x'); return true; } catch { return false; }
});
const read = (path) => { try { return fs.readFileSync(path, 'utf8'); } catch { return null; } };
const told = { built: read('built'), cwd: process.cwd(), uid: process.getuid(), env: process.env, wrote, status: read('/proc/self/status') };
require('node:http').createServer((_, answer) => answer.end(JSON.stringify(told))).listen(process.env.PORT, () => console.log('up'));
`;
