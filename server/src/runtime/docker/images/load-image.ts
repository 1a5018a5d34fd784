import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type Docker from 'dockerode';
import { blobKey } from '../../../artifacts/static-manifest.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { StartRefused } from '../../runtime.ts';
import { isNotFound } from '../engine-errors.ts';
import { EngineFailed, readEvents } from './engine-stream.ts';
import { imageName, repositoryOf } from './image-names.ts';

export interface LoadOptions {
  engine: Docker;
  objects: ObjectStore;
  installation: string;
  /** Where it lies until the engine has it; what is called `.draft-<pid>-…` there and left by a kill is swept. */
  folder: string;
  image: { artifactId: string; hash: string };
}

let count = 0;

/** Gives the engine an image that it does not have, or not any more. Not a byte of it before all are what was built. */
export async function loadImage(options: LoadOptions): Promise<void> {
  const { engine, objects, folder, image } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.draft-${process.pid}-image${count++}-${image.artifactId}`);
  try {
    await fetchVerified(objects, image.hash, draft);
    const bytes = createReadStream(draft).pipe(createZstdDecompress());
    let loaded: string | undefined;
    for await (const event of readEvents(await engine.loadImage(bytes))) {
      if (event.error !== undefined) throw new EngineFailed(event);
      loaded = /^Loaded image: (\S+)/.exec(event.stream ?? '')?.[1] ?? loaded;
    }
    await keepAs(options, loaded);
  } finally {
    await rm(draft, { force: true });
  }
}

async function fetchVerified(objects: ObjectStore, expected: string, to: string): Promise<void> {
  const hash = createHash('sha256');
  const look = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(objects.read(blobKey(expected)), look, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  if (hash.digest('hex') !== expected) {
    throw new StartRefused('The stored image of this deployment is not what was built. Deploy it again.');
  }
}

/** One that was built by a platform in another place, whose backup this is, has that one's name. */
async function keepAs({ engine, installation, image }: LoadOptions, loaded: string | undefined): Promise<void> {
  const name = imageName(installation, image.artifactId);
  if (loaded === undefined || loaded === name) return;
  await engine.getImage(loaded).tag({ repo: repositoryOf(installation), tag: image.artifactId });
  await engine
    .getImage(loaded)
    .remove()
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
}
