import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beginPacking, finishPacking, type KnownVariant } from './artifact-store.ts';
import type { ArtifactsDeps } from './artifacts-deps.ts';
import { contentTypeOf } from './content-type.ts';
import { describeVariants } from './describe-variants.ts';
import type { HashedFile } from './hash-output.ts';
import { hasHashedName } from './hashed-name.ts';
import { readOutput, type Output, type PackLimits } from './read-output.ts';
import { takeBack } from './remove-artifacts.ts';
import { blobKey, manifestKey, type StaticFile, type StaticManifest } from './static-manifest.ts';
import { usableVariants } from './usable-variants.ts';
import { requireFolder } from './walk-output.ts';

export interface PackRequest {
  artifactId: string;
  organisationId: string;
  environmentId: string;
  /** The built site. Nothing may write to it any more; its files may be moved away. */
  folder: string;
  isSinglePage: boolean;
  /** What the tool that built it names by content, besides the names that speak for themselves. */
  isNamedByContent?: (path: string) => boolean;
  signal: AbortSignal;
  /** One line for whoever reads the build's log. */
  onLine: (line: string) => void;
  limits?: Partial<PackLimits>;
}

export interface Packed {
  fileCount: number;
  size: number;
}

const LIMITS: PackLimits = { maxFiles: 100_000, maxFileBytes: 2 * 1024 ** 3, maxTotalBytes: 10 * 1024 ** 3 };

/**
 * Turns a folder into a static artifact. First the store learns which blobs the artifact needs, then those
 * that are not there are written, then the manifest; only then is it whole. Killed at any moment, what
 * is left is an artifact that `sweepArtifacts` takes away. Throws `PackRefused`.
 */
export async function packStatic(deps: ArtifactsDeps, request: PackRequest): Promise<Packed> {
  const { signal, onLine } = request;
  const folder = requireFolder(request.folder);
  const staging = join(folder, `.lilac-${randomBytes(6).toString('hex')}`);
  try {
    const limits = { ...LIMITS, ...request.limits };
    return await storeOutput(deps, request, await readOutput({ folder, staging, limits, signal, onLine }));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function storeOutput(deps: ArtifactsDeps, request: PackRequest, output: Output): Promise<Packed> {
  const { artifactId, isSinglePage, signal } = request;
  const { files, redirects, headers } = output;
  const sources = new Map(files.map(({ hash, source }) => [hash, source]));
  const known = await beginPacking(deps.store.db, { ...request, kind: 'static', hashes: [...sources.keys()] });
  try {
    signal.throwIfAborted();
    await deps.objects.putFiles(Array.from(sources, ([hash, path]) => ({ key: blobKey(hash), path })));
    signal.throwIfAborted();
    const isImmutable = (path: string) => hasHashedName(path) || request.isNamedByContent?.(path) === true;
    const described = describeFiles(files, isImmutable, await usableVariants(deps.objects, known));
    const packed = { fileCount: files.length, size: files.reduce((sum, { size }) => sum + size, 0) };
    await finish(deps, { version: 1, artifactId, files: described, isSinglePage, redirects, headers }, packed);
    return packed;
  } catch (error) {
    await takeBack(deps, artifactId);
    throw error;
  }
}

function describeFiles(
  files: readonly HashedFile[],
  isImmutable: (path: string) => boolean,
  variants: readonly KnownVariant[],
): StaticManifest['files'] {
  const byHash = Map.groupBy(variants, ({ hash }) => hash);
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const describe = (file: HashedFile) => ({ ...describeFile(file, byHash), isImmutable: isImmutable(file.path) });
  return Object.fromEntries(inOrder.map((file) => [file.path, describe(file)]));
}

function describeFile(
  { path, hash, size }: HashedFile,
  byHash: ReadonlyMap<string, readonly KnownVariant[]>,
): Omit<StaticFile, 'isImmutable'> {
  return { hash, size, type: contentTypeOf(path), variants: describeVariants(byHash.get(hash) ?? []) };
}

async function finish({ store, objects }: ArtifactsDeps, manifest: StaticManifest, packed: Packed): Promise<void> {
  const { artifactId } = manifest;
  await objects.put(manifestKey(artifactId), Buffer.from(JSON.stringify(manifest)));
  if (await finishPacking(store.db, { artifactId, ...packed })) return;
  throw new Error(`The artifact ${artifactId} was removed while it was packed.`);
}
