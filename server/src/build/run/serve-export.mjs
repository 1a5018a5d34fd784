// Serves an application that exports itself and does not listen: `node .lilac/serve.mjs <file>`.
// What it exports answers Request with Response (`fetch`), or is called with (request, response).
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';

const path = resolve(process.argv[2] ?? 'index.js');
const module = await import(pathToFileURL(path).href);
const application = unwrap(module);
if (!application) {
  console.error(`${path} exports nothing that could answer requests: it needs a default export.`);
  process.exit(1);
}
const handler = await handlerOf(application);
const server = createServer((request, response) => {
  Promise.resolve(handler(request, response)).catch((error) => {
    console.error(error);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end('Internal Server Error');
  });
});
server.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '0.0.0.0');
process.on('SIGTERM', () => server.close(() => process.exit(0)));

function unwrap(value) {
  const inner = value?.default ?? value?.app ?? value?.handler ?? value;
  return inner?.default ?? inner;
}

/** Fastify answers once it is ready; Koa makes a handler; Hono and its like have a fetch. */
async function handlerOf(value) {
  if (typeof value.routing === 'function' && typeof value.ready === 'function') {
    await value.ready();
    return value.routing;
  }
  if (typeof value.callback === 'function') return value.callback();
  if (typeof value === 'function') return value;
  if (typeof value.fetch === 'function')
    return (request, response) => answer(value.fetch.bind(value), request, response);
  console.error('What is exported is no function, and has no fetch.');
  return process.exit(1);
}

async function answer(fetch, incoming, outgoing) {
  const result = await fetch(toRequest(incoming));
  const headers = [...result.headers].filter(([name]) => name !== 'set-cookie');
  for (const cookie of result.headers.getSetCookie()) headers.push(['set-cookie', cookie]);
  outgoing.writeHead(result.status, headers.flat());
  if (result.body) await pipeline(Readable.fromWeb(result.body), outgoing);
  else outgoing.end();
}

function toRequest(incoming) {
  const scheme = incoming.headers['x-forwarded-proto'] ?? 'http';
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  const headers = new Headers();
  for (let at = 0; at < incoming.rawHeaders.length; at += 2)
    headers.append(incoming.rawHeaders[at], incoming.rawHeaders[at + 1]);
  return new Request(new URL(incoming.url, `${scheme}://${incoming.headers.host ?? 'localhost'}`), {
    method: incoming.method,
    headers,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
  });
}
