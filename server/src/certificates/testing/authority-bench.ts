import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../db/pool.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { openKeyring } from '../../secrets/key-file.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { openAnswers } from '../acme/challenge-answers.ts';
import { findChallengeAnswer } from '../acme/challenge-store.ts';
import { createAcmeAuthority } from '../acme/create-acme-authority.ts';
import type { CertificateAuthority, ChallengeAnswers } from '../certificate-authority.ts';
import { startAuthorityGate, type AuthorityGate } from './authority-gate.ts';
import { startDnsServer, type TestDnsServer } from './dns-server.ts';
import { startPebble, type Pebble, type PebbleOptions } from './pebble.ts';

/** A real authority that asks a real DNS server, and an address where what is in the store is answered. */
export interface AuthorityBench extends AsyncDisposable {
  store: Pick<Store, 'db'>;
  keyring: Keyring;
  dns: TestDnsServer;
  pebble: Pebble;
  gate: AuthorityGate;
  authority: CertificateAuthority;
  /** What the authority has looked for over HTTP: `www.example.org/.well-known/…`. */
  visits: string[];
  /** Creates TXT records at the DNS server. */
  dnsHook: string;
  answers(options?: { dnsHook?: string | null }): ChallengeAnswers;
  /** Another one, as another process would have it. */
  newAuthority(): CertificateAuthority;
  /** The name leads here. */
  point(...names: string[]): Promise<void>;
}

export async function openAuthorityBench(
  store: Pick<Store, 'db'>,
  { keyring: given, ...options }: Partial<PebbleOptions> & { keyring?: Keyring } = {},
): Promise<AuthorityBench> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-authority-'));
  const visits: string[] = [];
  const server = createServer((request, response) => {
    const { host = '' } = request.headers;
    visits.push(`${host.split(':')[0]}${request.url}`);
    const [, token = ''] = /^\/\.well-known\/acme-challenge\/([\w-]+)$/.exec(request.url ?? '') ?? [];
    void findChallengeAnswer(store.db, token).then((answer) =>
      answer === null ? response.writeHead(404).end() : response.end(answer),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const httpPort = (server.address() as AddressInfo).port;
  const dns = await startDnsServer();
  const pebble = await startPebble({ httpPort, dnsServer: dns.address, ...options });
  const gate = await startAuthorityGate(pebble);
  const hook = await startHookReceiver(folder, dns);
  const keyring = given ?? openKeyring(join(folder, 'keyring'));
  const settings = { directoryUrl: gate.directoryUrl, email: 'ops@example.org', caFile: pebble.caFile };
  const newAuthority = () => createAcmeAuthority({ store, keyring, clock: systemClock, settings, hostVariables: {} });
  return {
    store,
    keyring,
    dns,
    pebble,
    gate,
    authority: newAuthority(),
    newAuthority,
    visits,
    dnsHook: hook.program,
    answers({ dnsHook: program = null } = {}) {
      const dnsHook = program === null ? null : { program, hostVariables: {} };
      return openAnswers({ store, clock: systemClock, log: silentLog, dnsHook }, new AbortController().signal);
    },
    point: (...names) => dns.add(...names.map((name) => ({ type: 'A' as const, name, value: '127.0.0.1' }))),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      hook.close();
      await gate[Symbol.asyncDispose]();
      await pebble[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The program only tells; what it tells is done here, where the DNS server is known. */
async function startHookReceiver(folder: string, dns: TestDnsServer): Promise<{ program: string; close(): void }> {
  const server = createServer((request, response) => {
    const [verb, name, value] = (request.url ?? '').slice(1).split('/') as [string, string, string];
    const record = { type: 'TXT', name, value } as const;
    const done =
      verb === 'set'
        ? dns.add(record)
        : dns.remove((each) => each.type === 'TXT' && each.name === name && each.value === value);
    void done.then(() => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const program = join(folder, 'dns-hook');
  writeFileSync(program, `#!/bin/sh\nexec curl -sf "http://127.0.0.1:${port}/$1/$2/$3"\n`);
  chmodSync(program, 0o755);
  return { program, close: () => void server.close() };
}
