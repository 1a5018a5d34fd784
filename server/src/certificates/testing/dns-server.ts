import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Resolver } from 'node:dns/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, runServer, type RunningServer } from './run-server.ts';

export interface TestDnsRecord {
  /** SOA: a zone begins there, whatever the value. */
  type: 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'SOA' | 'NS';
  /** With A and AAAA it may begin with '*.', and means the name below the star too then. */
  name: string;
  value: string;
}

/** A real DNS server (dnsmasq) on loopback. What it does not know is not there (NXDOMAIN). */
export interface TestDnsServer extends AsyncDisposable {
  /** As LILAC_DNS_SERVERS takes it. */
  address: string;
  /** In place of all there were; answered when this resolves. For a moment it does not answer at all. */
  set(records: readonly TestDnsRecord[]): Promise<void>;
  /** Besides those there are. */
  add(...records: TestDnsRecord[]): Promise<void>;
  remove(isGone: (record: TestDnsRecord) => boolean): Promise<void>;
  /** Names at and below these: SERVFAIL, or no answer ever. */
  fail(names: { servfail?: readonly string[]; silent?: readonly string[] }): Promise<void>;
}

const PROBE = 'probe.invalid';
const ATTEMPTS = 5;

export async function startDnsServer(records: readonly TestDnsRecord[] = []): Promise<TestDnsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-dns-'));
  let port = await freePort();
  const broken = await startServfail();
  let known = records;
  let failing: { servfail?: readonly string[]; silent?: readonly string[] } = {};
  let server: RunningServer | null = null;
  let round = 0;
  const restart = async () => {
    await server?.stop();
    const probe = `round-${++round}`;
    writeFileSync(join(folder, 'hosts'), hostsFile(known));
    writeFileSync(
      join(folder, 'dnsmasq.conf'),
      [
        ...fixed(port),
        `addn-hosts=${join(folder, 'hosts')}`,
        `txt-record=${PROBE},${probe}`,
        ...known.flatMap(line),
        ...(failing.servfail ?? []).map((name) => `server=/${name}/127.0.0.1#${broken.port}`),
        ...(failing.silent ?? []).map((name) => `server=/${name}/127.0.0.1#1`),
      ].join('\n') + '\n',
    );
    server = await runServer(['dnsmasq', '-k', '-C', join(folder, 'dnsmasq.conf')], {
      answers: () => says(port, probe),
    });
  };
  const set = (next: readonly TestDnsRecord[]) => {
    known = next;
    return restart();
  };
  // Somebody else may be given the port before the server has it.
  const begin = (attempts: number): Promise<void> =>
    restart().catch(async (error: unknown) => {
      if (attempts === 1 || !String(error).includes('Address already in use')) throw error;
      port = await freePort();
      return begin(attempts - 1);
    });
  await begin(ATTEMPTS);
  return {
    address: `127.0.0.1:${port}`,
    set,
    add: (...more) => set([...known, ...more]),
    remove: (isGone) => set(known.filter((record) => !isGone(record))),
    fail(names) {
      failing = names;
      return restart();
    },
    async [Symbol.asyncDispose]() {
      await server?.stop();
      broken.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const fixed = (port: number): string[] => [
  `port=${port}`,
  'listen-address=127.0.0.1',
  'bind-interfaces',
  'no-resolv',
  'no-hosts',
  'no-daemon',
  'pid-file=',
  'user=root',
  'local-ttl=0',
  'local=/#/',
];

function hostsFile(records: readonly TestDnsRecord[]): string {
  const plain = records.filter(({ type, name }) => (type === 'A' || type === 'AAAA') && !name.startsWith('*.'));
  return plain.map(({ name, value }) => `${value} ${name}\n`).join('');
}

const SOA = '0000'.concat('00000001', '0000000a', '0000000a', '0000000a', '0000000a');

function line({ type, name, value }: TestDnsRecord): string[] {
  if (type === 'CNAME') return [`cname=${name},${value}`];
  if (type === 'TXT') return [`txt-record=${name},"${value}"`];
  if (type === 'SOA') return [`dns-rr=${name},6,${SOA}`];
  if (type === 'NS') return [`dns-rr=${name},2,${wireName(value)}`];
  return name.startsWith('*.') ? [`address=/${name.slice(2)}/${value}`] : [];
}

function wireName(name: string): string {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.of(0)]).toString('hex');
}

/** By the text one knows that it is this one, and not the one before. */
async function says(port: number, text: string): Promise<boolean> {
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const found = await resolver.resolveTxt(PROBE).catch(() => []);
  return found.flat().includes(text);
}

/** Says to everything that it could not find out. */
async function startServfail(): Promise<{ port: number; close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const answer = Buffer.from(question);
    answer[2] = question[2]! | 0x80;
    answer[3] = 0x82;
    socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: socket.address().port, close: () => void socket.close() };
}
