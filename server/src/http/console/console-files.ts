import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

export type Encoding = 'br' | 'gzip';

export interface FileVariant {
  content: Buffer;
  etag: string;
}

export interface ConsoleFile {
  /** As it stands in an address: `/assets/index-abc.js`. */
  path: string;
  type: string;
  plain: FileVariant;
  /** Made by the build; the server compresses nothing. */
  encoded: Partial<Record<Encoding, FileVariant>>;
}

const TYPES: Partial<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const SUFFIXES: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

/** Reads the built console whole, which is small; null when it was not built. */
export async function readConsoleFiles(directory: string): Promise<Map<string, ConsoleFile> | null> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const contents = new Map<string, Buffer>();
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const file = join(entry.parentPath, entry.name);
    contents.set(file.slice(directory.length), await readFile(file));
  }
  const files = new Map<string, ConsoleFile>();
  for (const path of contents.keys()) {
    const type = TYPES[extname(path)];
    if (type) files.set(path, describeFile(path, type, contents));
  }
  return files.has('/index.html') ? files : null;
}

/** The best of what the file has and the browser takes. */
export function chooseVariant(
  file: ConsoleFile,
  acceptEncoding: string | undefined,
): FileVariant & { encoding: Encoding | null } {
  const accepted = acceptedEncodings(acceptEncoding ?? '');
  for (const encoding of ['br', 'gzip'] as const) {
    const variant = accepted.has(encoding) ? file.encoded[encoding] : undefined;
    if (variant) return { ...variant, encoding };
  }
  return { ...file.plain, encoding: null };
}

/** RFC 9110, section 13.1.2: one of a list, compared weakly. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const candidates = (ifNoneMatch ?? '').split(',').map((candidate) => candidate.trim().replace(/^W\//, ''));
  return candidates.includes(etag) || candidates.includes('*');
}

function describeFile(path: string, type: string, contents: Map<string, Buffer>): ConsoleFile {
  const encoded: ConsoleFile['encoded'] = {};
  for (const encoding of ['br', 'gzip'] as const) {
    const content = contents.get(path + SUFFIXES[encoding]);
    if (content) encoded[encoding] = variantOf(content);
  }
  return { path, type, plain: variantOf(contents.get(path)!), encoded };
}

function variantOf(content: Buffer): FileVariant {
  return { content, etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"` };
}

function acceptedEncodings(header: string): Set<string> {
  const accepted = new Set<string>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name);
  }
  return accepted;
}
