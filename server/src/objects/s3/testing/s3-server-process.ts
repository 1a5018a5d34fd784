import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * An S3 server that others wrote, in a process of its own: `<folder> <bucket> [<port> <address>]`. It verifies what is
 * signed; what real ones do besides, and this one does not, is added here: nothing without a signature, objects that
 * are exchanged whole, ranges as they are meant, and a list of what is written in parts.
 */
interface Context {
  method: string;
  path: string;
  params: { bucket?: string; key?: string };
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  status: number;
  type: string;
  body: unknown;
}

type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;

interface Store {
  putContent(path: string, content: unknown): Promise<unknown>;
  getObject(bucket: string, key: string, options: { start?: number; end?: number }): Promise<unknown>;
}

interface Server {
  middleware: Middleware[];
  store: Store;
  run(): Promise<{ port: number }>;
}

// What it compares signatures by lets these through as they are; S3 and its clients do not.
const { encodeURIComponent: encodeSome } = globalThis;
const encodeAll = (text: string | number | boolean) =>
  encodeSome(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
globalThis.encodeURIComponent = encodeAll;

const load = createRequire(import.meta.url);
const authentication = '@20minutes/s3rver/lib/middleware/authentication.js';
const authenticate = (load(authentication) as () => Middleware)();
load.cache[load.resolve(authentication)]!.exports = () => authenticateBucket;
const S3rver = load('@20minutes/s3rver') as new (options: object) => Server;

const [folder = '', bucket = '', port = '0', at = '127.0.0.1'] = process.argv.slice(2);
const server = new S3rver({
  address: at,
  port: Number(port),
  directory: folder,
  silent: true,
  configureBuckets: [{ name: bucket }],
});
server.middleware.unshift(refuseUnsigned, answerParts, meanSuffixes);
exchangeWhole(server.store);
meanFirstByte(server.store);
const address = await server.run();
process.stdout.write(`${address.port}\n`);
process.stdin.resume().on('end', () => process.exit());

async function refuseUnsigned(context: Context, next: () => Promise<void>): Promise<void> {
  const isSigned = context.headers.authorization !== undefined || 'X-Amz-Algorithm' in context.query;
  if (isSigned || context.method === 'OPTIONS') return await next();
  refuse(context, 403, 'AccessDenied');
}

/** A slash behind the bucket is signed, too. */
async function authenticateBucket(context: Context, next: () => Promise<void>): Promise<void> {
  const { params } = context;
  const { bucket: name } = params;
  if (context.path !== `/${name}/`) return await authenticate(context, next);
  params.bucket = `${name}/`;
  await authenticate(context, () => {
    params.bucket = name!;
    return next();
  });
}

/** Lists and aborts what is written in parts. */
async function answerParts(context: Context, next: () => Promise<void>): Promise<void> {
  const uploads = join(folder, bucket, '._S3rver_uploads');
  if (context.method === 'GET' && /^\/[^/]+\/?$/.test(context.path) && 'uploads' in context.query) {
    const prefix = context.query['prefix'] ?? '';
    const entries = (existsSync(uploads) ? readdirSync(uploads) : []).flatMap((id) => {
      const key = readFileSync(join(uploads, id, 'key'), 'utf8');
      const since = statSync(join(uploads, id)).birthtime.toISOString();
      return key.startsWith(prefix)
        ? [`<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${since}</Initiated></Upload>`]
        : [];
    });
    context.type = 'application/xml';
    context.body = `<ListMultipartUploadsResult>${entries.join('')}<IsTruncated>false</IsTruncated></ListMultipartUploadsResult>`;
    return;
  }
  if (context.method === 'DELETE' && /^[0-9a-f]+$/.test(context.query['uploadId'] ?? '')) {
    const upload = join(uploads, context.query['uploadId']!);
    if (!existsSync(upload)) return refuse(context, 404, 'NoSuchUpload');
    rmSync(upload, { recursive: true });
    context.status = 204;
    return;
  }
  await next();
}

/** `bytes=-2`: the last two. */
async function meanSuffixes(context: Context, next: () => Promise<void>): Promise<void> {
  const [, count] = /^bytes=-(\d+)$/.exec(context.headers.range ?? '') ?? [];
  const file = join(folder, `${context.path}._S3rver_object`);
  if (count && existsSync(file)) {
    const { size } = statSync(file);
    context.headers.range = `bytes=${Math.max(0, size - Number(count))}-${size - 1}`;
  }
  await next();
}

/** Written aside first: who reads the old one is not disturbed. */
function exchangeWhole(store: Store): void {
  const putContent = store.putContent.bind(store);
  store.putContent = async (path, content) => {
    const aside = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      const written = await putContent(aside, content);
      renameSync(aside, path);
      return written;
    } catch (error) {
      rmSync(aside, { force: true });
      throw error;
    }
  };
}

/** `bytes=0-0`: one byte, and not all. */
function meanFirstByte(store: Store): void {
  const getObject = store.getObject.bind(store);
  store.getObject = (inBucket, key, options) =>
    // A number that it does not take for one that is missing.
    getObject(inBucket, key, options.end === 0 ? { ...options, end: Object(0) as number } : options);
}

function refuse(context: Context, status: number, code: string): void {
  context.status = status;
  context.type = 'application/xml';
  context.body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
}
