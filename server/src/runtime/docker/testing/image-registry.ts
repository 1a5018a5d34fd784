import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ImageRegistry extends AsyncDisposable {
  /** `127.0.0.1:41234`. */
  host: string;
  /** Gives everybody an image with one file, `/file`; answers with its name. */
  offer(name: string, config?: { Labels?: Record<string, string>; OnBuild?: string[] }): string;
}

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const LAYER = makeLayer();

/** A registry as an engine sees it: names, manifests, and bytes by their hashes. */
export async function startImageRegistry(): Promise<ImageRegistry> {
  const manifests = new Map<string, Buffer>();
  const blobs = new Map<string, Buffer>();
  const server = createServer(({ url = '' }, answer) => {
    const [, name = '', kind, version = ''] = /^\/v2\/([^/]+)\/(manifests|blobs)\/(.+)$/.exec(url) ?? [];
    const named = kind === 'manifests' && version === '1' ? manifests.get(name) : blobs.get(version);
    const body = url === '/v2/' ? Buffer.from('{}') : named;
    const type = kind === 'manifests' ? MANIFEST : 'application/octet-stream';
    if (body) answer.setHeader('content-type', type).setHeader('docker-content-digest', digestOf(body));
    answer.writeHead(body ? 200 : 404, { 'content-length': body?.length ?? 0 }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keep = (body: Buffer) => {
    blobs.set(digestOf(body), body);
    return { digest: digestOf(body), size: body.length };
  };
  return {
    host,
    offer(name, config = {}) {
      const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
      const rootfs = { type: 'layers', diff_ids: [digestOf(LAYER)] };
      // Its own name is in it: each is another image.
      const image = { architecture, os: 'linux', author: name, config, rootfs };
      const layers = [{ mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip', ...keep(LAYER) }];
      const described = { mediaType: 'application/vnd.docker.container.image.v1+json', ...keep(asBytes(image)) };
      const manifest = asBytes({ schemaVersion: 2, mediaType: MANIFEST, config: described, layers });
      keep(manifest);
      manifests.set(name, manifest);
      return `${host}/${name}:1`;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const asBytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));
const digestOf = (body: Buffer): string => `sha256:${createHash('sha256').update(body).digest('hex')}`;

/** An archive with an empty file, `file`. */
function makeLayer(): Buffer {
  const archive = Buffer.alloc(1536);
  const fields = { 0: 'file', 100: '0000644', 108: '0000000', 116: '0000000', 124: '00000000000', 136: '00000000000' };
  for (const [at, text] of Object.entries({ ...fields, 148: '        ', 156: '0' })) archive.write(text, Number(at));
  const sum = archive.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return archive;
}
