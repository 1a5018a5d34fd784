import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Settings } from '../../../config.ts';

/** What is done to one answer. */
export interface Harm {
  /** Answered in place of the store, with nothing more, or with that content and those headers. */
  status?: number;
  content?: Buffer;
  /** In place of the store's own; null: without. */
  headers?: Record<string, string | null>;
  /** After so many bytes the connection ends, or the answer does: as if it were whole. */
  cutAt?: number;
  isClean?: boolean;
}

export interface UnreliableS3 extends AsyncDisposable {
  settings: S3Settings;
  /** Is asked for each request what is done to its answer; and may change the request. */
  harm: (request: IncomingMessage) => Harm | null;
}

/** What stands between us and a store, and is not to be relied on. */
export async function openUnreliableS3(behind: S3Settings): Promise<UnreliableS3> {
  const { hostname, port } = behind.endpoint!;
  const server = createServer((asked, answer) => {
    const harm = unreliable.harm(asked) ?? {};
    if (harm.status !== undefined) {
      asked.resume();
      answer.writeHead(harm.status, given(harm)).end(harm.content);
      return;
    }
    const { method, url: path, headers } = asked;
    const passed = request({ hostname, port, method, path, headers }, (found) => {
      answer.writeHead(found.statusCode!, { ...without(found.headers, harm), ...given(harm) });
      let left = harm.cutAt ?? Infinity;
      found.on('data', (chunk: Buffer) => {
        const part = chunk.subarray(0, left);
        left -= part.length;
        const isCut = part.length < chunk.length;
        if (isCut) found.destroy();
        if (isCut && harm.isClean) answer.end(part);
        // What was written before is to arrive.
        else answer.write(part, () => isCut && setTimeout(() => answer.destroy(), 20));
      });
      found.on('end', () => answer.end());
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const unreliable: UnreliableS3 = {
    settings: { ...behind, endpoint },
    harm: () => null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return unreliable;
}

function given({ headers = {} }: Harm): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

function without(found: IncomingMessage['headers'], { headers = {} }: Harm): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(found).filter(([name]) => headers[name] !== null));
}
