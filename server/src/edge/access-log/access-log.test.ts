import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../logs/log-entry.ts';
import { eventually } from '../../testing/eventually.ts';
import { findFreePort, startInstance } from '../instances/testing/start-instance.ts';
import { heldAnswers, host, startServedEdge } from '../instances/testing/start-served-edge.ts';
import { SMALL_BLOB_BYTES } from '../static/blob-library.ts';
import { writeRelease } from '../testing/write-release.ts';

function gather() {
  const added: (LogEntry & { environmentId: string })[] = [];
  const accessLog = { add: (environmentId: string, entry: LogEntry) => void added.push({ environmentId, ...entry }) };
  /** Times and sizes are told apart by tests that look at them. */
  const lines = () => added.map(({ message }) => message.replace(/ \d+ms \d+B/, ''));
  const until = (count: number) => eventually(`${count} lines`, () => added.length === count);
  /** One after the other: a client has the last byte, and may ask again, a moment before the line is written. */
  const inTurn = async (...questions: (() => Promise<unknown>)[]) => {
    for (const ask of questions) {
      const before = added.length;
      await ask();
      await until(before + 1);
    }
  };
  return { added, accessLog, lines, until, inTurn };
}

const rawGet = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;

async function startSite(options: { isPlain?: boolean } = {}) {
  const log = gather();
  const edge = await startServedEdge({ accessLog: log.accessLog });
  const content = Buffer.alloc(SMALL_BLOB_BYTES + 1, 'x');
  writeRelease(edge.paths.objects, { files: { '/index.html': 'home', '/large.bin': { content } } });
  const target = { kind: 'static', artifactId: 'art_1', deploymentId: 'dep_1', revision: 1 } as const;
  const route = {
    environmentId: 'env_1',
    subdomain: 'shop',
    target,
    lock: null,
    accessLog: true,
    domain: null,
    atSubdomain: true,
    version: 1,
  };
  edge.routes.set({ ...route, accessLog: !options.isPlain });
  const toggle = (accessLog: boolean) => edge.routes.set({ ...route, accessLog });
  return { ...edge, ...log, route, toggle };
}

describe('the access log of a site', () => {
  it('has a line for every request: files, pages that are not there, whatever the method', async () => {
    const site = await startSite();
    await site.inTurn(
      () => site.get('/?secret=1'),
      () => site.get('/'),
      () => site.get('/nothing/here'),
      () => site.get('/large.bin'),
      () => site.call({ method: 'HEAD', path: '/index.html', host }),
      () => site.call({ method: 'POST', path: '/form', host, body: 'x=1' }),
    );
    expect(site.lines()).toEqual([
      'GET / 200',
      'GET / 200',
      'GET /nothing/here 404',
      'GET /large.bin 200',
      'HEAD /index.html 200',
      'POST /form 405',
    ]);
    expect(site.added[0]).toMatchObject({
      environmentId: 'env_1',
      deploymentId: 'dep_1',
      instanceId: null,
      severity: 'INFO',
    });
    const sizes = site.added.map(({ message }) => Number(/ (\d+)B/.exec(message)![1]));
    expect(sizes[3]).toBeGreaterThan(SMALL_BLOB_BYTES);
    expect(sizes[1]).toBeGreaterThan(sizes[4]!);
    for (const size of sizes) expect(size).toBeGreaterThan(0);
  });

  it('is switched on and off at once, and has nothing while it is off', async () => {
    const site = await startSite({ isPlain: true });
    await site.get('/before');
    site.toggle(true);
    await site.inTurn(() => site.get('/while'));
    site.toggle(false);
    await site.get('/after');
    site.toggle(true);
    await site.inTurn(() => site.get('/again'));
    expect(site.lines()).toEqual(['GET /while 404', 'GET /again 404']);
  });

  it('has what the lock answers, and the form of its password', async () => {
    const site = await startSite();
    site.routes.set({ ...site.route, lock: { key: Buffer.alloc(32).toString('base64url') } });
    await site.inTurn(
      () => site.get('/private'),
      () => site.call({ method: 'POST', path: '/.lilac/unlock', host, body: 'password=secret' }),
    );
    expect(site.lines()[0]).toBe('GET /private 401');
    expect(site.lines()[1]).toMatch(/^POST \/\.lilac\/unlock \d+$/);
  });

  it('has what the edge says where nothing was ever released, or cannot be read', async () => {
    const site = await startSite();
    site.routes.set({ ...site.route, target: null });
    await site.inTurn(() => site.get('/'));
    site.routes.set({ ...site.route, target: { ...site.route.target, artifactId: 'art_gone' } });
    await site.inTurn(() => site.get('/'));
    expect(site.lines().map((line) => line.replace(/\d+$/, ''))).toEqual(['GET / ', 'GET / ']);
    expect(site.added[0]!.deploymentId).toBeNull();
    expect(site.added[1]!.severity).toBe('ERROR');
  });
});

describe('the access log of a server', () => {
  it('names the instance that answered, and tells failures by their severity', async () => {
    const log = gather();
    const edge = await startServedEdge({ accessLog: log.accessLog });
    const { address } = await startInstance('ins_a', (request, response) => {
      if (request.url === '/broken') request.socket.destroy();
      else response.writeHead(request.url === '/bad' ? 500 : 201).end('hello');
    });
    edge.publish([address], { accessLog: true });
    await log.inTurn(
      () => edge.call({ method: 'PUT', path: '/thing?key=secret', host, body: 'x'.repeat(1000) }),
      () => edge.get('/bad'),
      () => edge.call({ method: 'POST', path: '/broken', host, body: 'x' }),
    );
    expect(log.lines()).toEqual(['PUT /thing 201 ins_a', 'GET /bad 500 ins_a', 'POST /broken 502 ins_a']);
    expect(log.added.map(({ severity }) => severity)).toEqual(['INFO', 'ERROR', 'ERROR']);
    expect(log.added[0]!.deploymentId).toBe(edge.routes.find('shop')!.target!.deploymentId);
  });

  it('has what nobody answered: one that did not wake up, one that crashes', async () => {
    const log = gather();
    const edge = await startServedEdge({ accessLog: log.accessLog, instanceHoldMs: 20 });
    edge.publish([], { accessLog: true });
    await log.inTurn(() => edge.get('/asleep'));
    edge.publish([], { accessLog: true, outage: 'crashing' });
    await log.inTurn(() => edge.get('/crashing'));
    expect(log.lines()).toEqual(['GET /asleep 503', 'GET /crashing 503']);
    const [asleep] = log.added.map(({ message }) => Number(/ (\d+)ms/.exec(message)![1]));
    expect(asleep).toBeGreaterThanOrEqual(15);
  });

  it('has a client that left, once', async () => {
    const log = gather();
    const edge = await startServedEdge({ accessLog: log.accessLog });
    const { held, handler } = heldAnswers();
    const { address } = await startInstance('ins_a', handler);
    edge.publish([address], { accessLog: true });
    const client = edge.openRaw(`GET /slow HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await eventually('it is there', () => held.length === 1);
    client.destroy();
    await log.until(1);
    held[0]!.end('late');
    await edge.call({ path: '/nobody', host: 'other.apps.test' });
    expect(log.lines()).toEqual(['GET /slow - ins_a']);
  });

  it('has every request of a connection, also those that were handed over', async () => {
    const log = gather();
    const edge = await startServedEdge({ accessLog: log.accessLog });
    const { address } = await startInstance('ins_a');
    edge.publish([address], { accessLog: true });
    await edge.sendRaw(rawGet('/1') + rawGet('/2', 'Expect: 100-continue\r\n') + rawGet('/3', 'Connection: close\r\n'));
    await log.until(3);
    expect(log.lines()).toEqual(['GET /1 200 ins_a', 'GET /2 200 ins_a', 'GET /3 200 ins_a']);
  });

  it("leaves out the platform's own checks, and nobody else who claims to be one", async () => {
    const log = gather();
    const edge = await startServedEdge({ accessLog: log.accessLog });
    const { address } = await startInstance('ins_a');
    const token = 'x'.repeat(32);
    edge.publish([address], { accessLog: true, probe: { token, instances: [address] } });
    await edge.get('/check', { 'X-Lilac-Probe': `${token}.ins_a` });
    await edge.get('/guess', { 'X-Lilac-Probe': 'y'.repeat(32) });
    await log.until(1);
    expect(log.lines()).toEqual(['GET /guess 200 ins_a']);
  });

  it('has one that cannot be connected to', async () => {
    const log = gather();
    const edge = await startServedEdge({ accessLog: log.accessLog, instanceHoldMs: 20 });
    const instance = { id: 'ins_a', host: '127.0.0.1', port: await findFreePort() };
    edge.publish([instance], { accessLog: true });
    await edge.get('/');
    await log.until(1);
    expect(log.lines()).toEqual(['GET / 503']);
  });
});
