import type { Files } from './deploying.ts';

/**
 * A small server that says which release it is, and can be made to misbehave: what the tests of running
 * servers deploy. No packages, so that a build takes no time.
 */
export function serverApp(words: string, settings: { bootMs?: number; listen?: string } = {}): Files {
  const { bootMs = 0, listen = "server.listen(process.env.PORT, '0.0.0.0')" } = settings;
  return {
    'package.json': JSON.stringify({ name: 'server', version: '1.0.0', private: true }),
    Procfile: 'web: exec node server.js\n',
    'server.js': SOURCE.replaceAll('%WORDS%', words).replace('%BOOT_MS%', String(bootMs)).replace('%LISTEN%', listen),
  };
}

const SOURCE = `
const { createServer } = require('node:http');
const { createHash } = require('node:crypto');
const { spawn } = require('node:child_process');
const { appendFileSync, writeSync } = require('node:fs');

let flood = [];
const paths = {
  '/': (_request, response) => response.end('%WORDS%'),
  '/env': (_request, response) => response.end(JSON.stringify(process.env)),
  '/headers': (request, response) => response.end(JSON.stringify(request.rawHeaders)),
  '/instance': (_request, response) => response.end(process.env.LILAC_INSTANCE_ID),
  '/slow': (_request, response) => setTimeout(() => response.end('%WORDS%'), 400),
  '/instance-slowly': (_request, response) => setTimeout(() => response.end(process.env.LILAC_INSTANCE_ID), 400),
  '/hold': (_request, response) => response.write(process.env.LILAC_INSTANCE_ID + '\\n'),
  '/echo': (request, response) => request.pipe(response),
  '/events': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let count = 0;
    const timer = setInterval(() => response.write('data: ' + count++ + '\\n\\n'), 50);
    response.on('close', () => clearInterval(timer));
  },
  '/say': (request, response) => {
    writeSync(1, new URL(request.url, 'http://server').searchParams.get('text') + '\\n');
    response.end();
  },
  '/crash': (_request, response) => response.end('bye', () => process.exit(3)),
  '/leak': (_request, response) => {
    response.end('leaking');
    const kept = [];
    setInterval(() => {
      kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
      writeSync(1, 'holding ' + kept.length * 16 + ' MiB\\n');
    }, 5);
  },
  '/fork-bomb': (_request, response) => {
    response.end('forking');
    const bomb = () => { try { spawn('/bin/sh', ['-c', 'while :; do (sleep 60 &) ; done']); } catch {} };
    for (let count = 0; count < 20; count++) bomb();
  },
  '/flood': (_request, response) => {
    flood = [1, 2, 3].map(() => spawn('dd', ['if=/dev/zero', 'bs=1M'], { stdio: ['ignore', 'inherit', 'ignore'] }));
    response.end('flooding');
  },
  '/end-flood': (_request, response) => {
    for (const each of flood) each.kill('SIGKILL');
    response.end('calm');
  },
  '/fill-disk': (_request, response) => {
    let written = 0;
    try {
      for (; written < 64 * 1024; written++) appendFileSync('filling', Buffer.alloc(1024 * 1024, 1));
      response.end('no end to it');
    } catch (error) {
      response.end(error.code + ' after ' + written + ' MiB');
    }
  },
};

const server = createServer((request, response) => {
  const answer = paths[request.url.split('?')[0]];
  if (answer) return answer(request, response);
  response.statusCode = 404;
  response.end('no such page');
});

// An echo of WebSocket messages, in frames of up to 125 bytes.
server.on('upgrade', (request, socket) => {
  const key = createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11');
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n' +
    'Sec-WebSocket-Accept: ' + key.digest('base64') + '\\r\\n\\r\\n');
  let held = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    held = Buffer.concat([held, bytes]);
    while (held.length >= 6 && held.length >= 6 + (held[1] & 127)) {
      const length = held[1] & 127;
      const mask = held.subarray(2, 6);
      const text = Buffer.from(held.subarray(6, 6 + length).map((byte, at) => byte ^ mask[at % 4]));
      if ((held[0] & 15) === 8) return socket.end();
      held = held.subarray(6 + length);
      socket.write(Buffer.concat([Buffer.from([0x81, length]), text]));
    }
  });
  socket.on('error', () => {});
});

process.on('SIGTERM', () => server.close(() => process.exit(0)));
setTimeout(() => %LISTEN%, %BOOT_MS%);
`;
