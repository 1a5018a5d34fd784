import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readQuestioned, readResponse } from '../../certificates/ocsp/ocsp.ts';
import { startOcspResponder, type ResponderOptions } from '../../certificates/testing/ocsp-responder.ts';
import { freePort } from '../../certificates/testing/run-server.ts';
import { eventually } from '../../testing/eventually.ts';
import { enqueueOcsp } from './job-kinds.ts';
import { openCertificateWorld } from './testing/certificate-world.ts';

async function open(signer: ResponderOptions['signer'] = 'authority') {
  const port = await freePort();
  const world = await openCertificateWorld({ ocspUrl: `http://127.0.0.1:${port}/` });
  const responder = await startOcspResponder(world.bench.pebble, { port, signer });
  await world.work();
  const domain = await world.addDomain();
  await world.ensure(domain);
  const row = await world.until(domain, 'is issued', ({ status }) => status === 'issued');
  const ended = async () => (await world.jobs('certificates.ocsp')).filter(({ state }) => state === 'done').length;
  await eventually('it was asked for the first time', async () => (await ended()) === 1);
  return {
    ...world,
    responder,
    domain,
    row: () => world.row(domain),
    first: row,
    async ask() {
      const before = await ended();
      await world.api.store.db.transaction().execute((tx) => enqueueOcsp(tx, row.id));
      await eventually('it was asked', async () => (await ended()) > before);
      return (await world.jobs('certificates.ocsp')).at(-1)!.result as string;
    },
    async [Symbol.asyncDispose]() {
      await responder[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

describe.each(['authority', 'appointed'] as const)('the word of an authority, signed by the %s', (signer) => {
  it('is kept for edges to show, and what is revoked is replaced', async () => {
    await using world = await open(signer);
    const { serial, chain } = world.first;
    // Nobody answered yet: it is asked again.
    expect((await world.row()).ocsp).toBeNull();
    expect((await world.row()).ocsp_renew_at!.getTime()).toBeGreaterThan(world.deps.clock.now().getTime());
    await world.responder.tell({ good: [serial!] });
    expect(await world.ask()).toBe('The authority says that it is good.');
    const good = await world.row();
    expect(readResponse(good.ocsp!, readQuestioned(chain!)!, new Date()).status).toBe('good');
    expect(good.ocsp_renew_at!.getTime() - world.deps.clock.now().getTime()).toBeLessThanOrEqual(86_400_000);
    expect(Number(good.version)).toBeGreaterThan(Number(world.first.version));
    await world.responder.tell({ revoked: [serial!] });
    expect(await world.ask()).toMatch(/^The authority has revoked the certificate/);
    const next = await world.until(
      world.domain,
      'is replaced',
      (row) => row.serial !== serial && row.status === 'issued',
    );
    expect(next).toMatchObject({ is_revoked: false, error: null });
    expect(new X509Certificate(next.chain!).serialNumber).not.toBe(new X509Certificate(chain!).serialNumber);
    expect(await world.actionsOf(world.domain)).toEqual([
      'certificate_issued',
      'certificate_failed',
      'certificate_issued',
    ]);
  });
});

describe('a word that is not to be believed', () => {
  it('is not shown: it is signed by one whom the authority has not appointed', async () => {
    await using world = await open('anybody');
    await world.responder.tell({ good: [world.first.serial!] });
    expect(await world.ask()).toBe('the answer is not signed by the authority');
    expect((await world.row()).ocsp).toBeNull();
  });

  it('is put away when nobody renews it', async () => {
    await using world = await open();
    await world.responder.tell({ good: [world.first.serial!] });
    await world.ask();
    await world.responder.stop();
    await world.ask();
    expect((await world.row()).ocsp).not.toBeNull();
    world.api.clock.advance(3 * 86_400_000);
    await world.ask();
    expect((await world.row()).ocsp).toBeNull();
    await world.responder.tell({});
    expect(await world.ask()).toMatch(/unknown|not of now/);
    expect((await world.row()).ocsp).toBeNull();
  });
});
