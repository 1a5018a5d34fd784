import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { blobKey, manifestKey, type StaticFile, type StaticManifest } from '../../artifacts/static-manifest.ts';

export interface ReleaseFile {
  content: string | Buffer;
  type?: string;
  isImmutable?: boolean;
  /** With compressed forms. */
  isCompressed?: boolean;
}

export interface ReleaseOptions extends Partial<Pick<StaticManifest, 'isSinglePage' | 'redirects' | 'headers'>> {
  artifactId?: string;
  files: Record<string, string | ReleaseFile>;
}

/** Writes a release as the packer does, into the folder of the objects. */
export function writeRelease(root: string, options: ReleaseOptions): StaticManifest {
  const files = Object.entries(options.files).map(([path, file]) => [path, storeFile(root, path, file)] as const);
  const manifest: StaticManifest = {
    version: 1,
    artifactId: options.artifactId ?? 'art_1',
    files: Object.fromEntries(files),
    isSinglePage: options.isSinglePage ?? false,
    redirects: options.redirects ?? [],
    headers: options.headers ?? [],
  };
  writeObject(root, manifestKey(manifest.artifactId), JSON.stringify(manifest));
  return manifest;
}

function storeFile(root: string, path: string, file: string | ReleaseFile): StaticFile {
  const {
    content,
    type,
    isImmutable = false,
    isCompressed = false,
  } = typeof file === 'object' ? file : { content: file };
  const bytes = Buffer.from(content);
  const variants = isCompressed
    ? { br: storeBlob(root, brotliCompressSync(bytes)), gzip: storeBlob(root, gzipSync(bytes)) }
    : {};
  return { ...storeBlob(root, bytes), type: type ?? typeOf(path), isImmutable, variants };
}

function storeBlob(root: string, bytes: Buffer): { hash: string; size: number } {
  const hash = createHash('sha256').update(bytes).digest('hex');
  writeObject(root, blobKey(hash), bytes);
  return { hash, size: bytes.length };
}

function writeObject(root: string, key: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, key)), { recursive: true });
  writeFileSync(join(root, key), content);
}

function typeOf(path: string): string {
  return path.endsWith('.html') ? 'text/html; charset=utf-8' : 'application/octet-stream';
}
