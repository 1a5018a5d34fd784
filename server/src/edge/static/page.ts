import type { StaticFile } from '../../artifacts/static-manifest.ts';
import type { Header } from './header-rules.ts';
import type { Coding } from './negotiate-coding.ts';
import { answer, type StaticAnswer } from './static-answer.ts';

/** One form of a file, with its answers made once and given again and again. */
export interface Representation {
  coding: Coding;
  hash: string;
  size: number;
  etag: string;
  whole: StaticAnswer;
  notModified: StaticAnswer;
  /** For answers that are made each time: ranges. */
  headers: readonly Header[];
}

/** A file at an address. */
export interface Page {
  status: 200 | 404;
  identity: Representation;
  br: Representation | null;
  gzip: Representation | null;
}

const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_FIRST = 'public, max-age=0, must-revalidate';

export function createPage(file: StaticFile, status: 200 | 404, extra: readonly Header[]): Page {
  const represent = (coding: Coding, form: { hash: string; size: number } | undefined) =>
    form ? createRepresentation({ file, status, extra, coding, ...form }) : null;
  return {
    status,
    identity: represent('identity', file)!,
    br: represent('br', file.variants.br),
    gzip: represent('gzip', file.variants.gzip),
  };
}

interface RepresentationOptions {
  file: StaticFile;
  status: 200 | 404;
  extra: readonly Header[];
  coding: Coding;
  hash: string;
  size: number;
}

function createRepresentation(options: RepresentationOptions): Representation {
  const { file, status, coding, hash, size } = options;

  const etag = coding === 'identity' ? `"${file.hash.slice(0, 32)}"` : `"${hash.slice(0, 32)}-${coding}"`;
  const headers = headersOf(options, etag);
  return {
    coding,
    hash,
    size,
    etag,
    headers,
    whole: answer(
      status,
      [...headers, ['Content-Length', String(size)]],
      size === 0 ? null : { hash, size, start: 0, end: size },
    ),
    notModified: answer(304, headers.filter(isOfNoBody)),
  };
}

/** What the site's owner says comes last and replaces what we would say. */
function headersOf({ file, status, extra, coding }: RepresentationOptions, etag: string): Header[] {
  const isFound = status === 200;
  const hasForms = file.variants.br !== undefined || file.variants.gzip !== undefined;
  const own: Header[] = [
    ['Content-Type', file.type],
    ...(coding === 'identity' ? [] : [['Content-Encoding', coding] as const]),
    ...(isFound
      ? ([
          ['ETag', etag],
          ['Accept-Ranges', 'bytes'],
        ] as const)
      : []),
    ['Cache-Control', file.isImmutable && isFound ? FOR_EVER : ASK_FIRST],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  const replaced = new Set(extra.map(([name]) => name.toLowerCase()));
  const vary = varyOf(hasForms, extra);
  return [
    ...own.filter(([name]) => !replaced.has(name.toLowerCase())),
    ...(vary ? [['Vary', vary] as const] : []),
    ...extra.filter(([name]) => name.toLowerCase() !== 'vary'),
  ];
}

function varyOf(hasForms: boolean, extra: readonly Header[]): string | null {
  const wanted = extra.find(([name]) => name.toLowerCase() === 'vary')?.[1];
  if (!hasForms) return wanted ?? null;
  return wanted ? `Accept-Encoding, ${wanted}` : 'Accept-Encoding';
}

function isOfNoBody([name]: Header): boolean {
  return !['content-type', 'content-encoding'].includes(name.toLowerCase());
}
