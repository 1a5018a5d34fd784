import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { openssl } from '../testing/test-pki.ts';
import { listenRaw, SWITCHING_PROTOCOLS } from '../../testing/listen-raw.ts';
import { fetchOcsp } from './fetch-ocsp.ts';
import { readQuestioned } from './ocsp.ts';

const RESPONDER = 'http://ocsp.example.invalid/here';

/** A certificate of which one is to be asked whether it is good. */
async function makeQuestioned() {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-ocsp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string) => join(folder, name);
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  const make = (name: string, ...more: string[]) =>
    openssl('req', '-x509', ...newKey, '-keyout', at(`${name}.key`), '-out', at(`${name}.pem`), ...more);
  await make('ca', '-subj', '/CN=Authority');
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-addext', `authorityInfoAccess=OCSP;URI:${RESPONDER}`];
  await make('leaf', '-subj', '/CN=www.example.org', ...signed);
  return readQuestioned(readFileSync(at('leaf.pem'), 'utf8') + readFileSync(at('ca.pem'), 'utf8'))!;
}

it('the authority is asked by the proxy that this machine has for going out', async () => {
  const asked: unknown[] = [];
  const proxy = createServer((request, response) => {
    asked.push([request.method, request.url, request.headers['content-type']]);
    response.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const { signal } = new AbortController();
  const hostVariables = { http_proxy: `http://127.0.0.1:${port}` };
  const questioned = await makeQuestioned();
  const answer = fetchOcsp(questioned, { hostVariables, clock: systemClock, signal });
  await expect(answer).rejects.toThrow('ocsp.example.invalid answers 503');
  expect(asked).toEqual([['POST', RESPONDER, 'application/ocsp-request']]);
});

it.each([
  ['another protocol', SWITCHING_PROTOCOLS, 'another protocol'],
  ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc', 'enough'],
])('an authority that answers with %s is not waited for', async (_what, answer, message) => {
  const hostVariables = { http_proxy: `http://127.0.0.1:${await listenRaw(answer)}` };
  const leave = new AbortController();
  const asked = fetchOcsp(await makeQuestioned(), { hostVariables, clock: systemClock, signal: leave.signal });
  setTimeout(() => leave.abort(new Error('enough')), 1000);
  await expect(asked).rejects.toThrow(message);
});
