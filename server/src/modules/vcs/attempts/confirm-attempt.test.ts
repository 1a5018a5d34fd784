import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMember, createOwner, createUser, type TestOwner, type TestUser } from '../../../testing/factories.ts';
import { createLinkBench, type LinkBench } from '../testing/link-bench.ts';

let bench: LinkBench;
let owner: TestOwner;
beforeAll(async () => {
  bench = await createLinkBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

beforeEach(async () => {
  owner = await createOwner(bench.api, { name: 'Acme Ltd' });
  const { provider1 } = bench.hosts;
  provider1.isDown = false;
  provider1.people.add('ada', { administers: ['acme'] });
});

/** Begun in a terminal, come back by a browser: the ticket that it was given. */
async function ticketFor(who = owner): Promise<string> {
  const { provider1 } = bench.hosts;
  const { state } = await bench.begin('provider1', who);
  const installation_id = String(provider1.addInstallation('acme').id);
  const answer = await bench.comeBack({ state, installation_id, code: provider1.people.codeFor('ada') });
  return String(answer.headers['location']).split('#')[1]!;
}

const confirm = (attempt: string, { who = owner, confirm: yes }: { who?: TestUser; confirm?: boolean } = {}) =>
  bench.api.call('/api/vcs-app/confirm', {
    token: who.token,
    body: { attempt, ...(yes !== undefined && { confirm: yes }) },
  });
const linked = () => bench.linkedTo(owner);

describe('who began and came back by another browser', () => {
  it('is told what would be linked, and links it by saying yes', async () => {
    const ticket = await ticketFor();
    const asked = await confirm(ticket);
    expect([asked.status, asked.body]).toEqual([
      200,
      {
        provider: 'provider1',
        hostUrl: expect.stringMatching(/^https?:\/\/[^/]+$/) as string,
        accountLogin: 'acme',
        organisationName: 'Acme Ltd',
        linked: false,
      },
    ]);
    expect(await linked()).toEqual([]);
    const said = await confirm(ticket, { confirm: true });
    expect([said.status, said.body.linked]).toEqual([200, true]);
    expect(await linked()).toHaveLength(1);
    expect(await bench.activity(owner)).toContain(`installation_linked acme by ${owner.email}`);
    const { rows } = await bench.api.store.pool.query('select found from vcs_attempts where organisation_id = $1', [
      owner.organisationId,
    ]);
    expect(rows).toEqual([{ found: null }]);
  });

  it('may say it twice, also at once', async () => {
    const ticket = await ticketFor();
    const answers = await Promise.all([1, 2, 3].map(() => confirm(ticket, { confirm: true })));
    for (const { status, body } of answers) expect([status, body.linked]).toEqual([200, true]);
    expect((await confirm(ticket, { confirm: true })).status).toBe(200);
    expect((await bench.activity(owner)).filter((line) => line.startsWith('installation_linked'))).toHaveLength(1);
  });

  it('what the host gave lies sealed meanwhile', async () => {
    await ticketFor();
    const { rows } = await bench.api.store.pool.query('select * from vcs_attempts where organisation_id = $1', [
      owner.organisationId,
    ]);
    expect(rows[0].found).toMatch(/./);
    expect(JSON.stringify(rows)).not.toContain('stand-in-');
  });
});

describe('nothing is confirmed', () => {
  it('by somebody else, though they hold the ticket', async () => {
    const ticket = await ticketFor();
    const colleague = await createMember(bench.api, { organisationId: owner.organisationId, role: 'owner' });
    for (const who of [colleague, await createUser(bench.api)]) {
      for (const yes of [false, true]) {
        const answer = await confirm(ticket, { who, confirm: yes });
        expect([answer.status, answer.body.code]).toEqual([404, 'NF001']);
        expect(answer.text).not.toContain('acme');
      }
    }
    expect(await linked()).toEqual([]);
  });

  it('by who began, with what they know: only the browser that came back has the ticket', async () => {
    const { provider1 } = bench.hosts;
    // They send somebody else to the host, who comes home with what is theirs.
    const { state, cookie } = await bench.begin('provider1', owner);
    provider1.people.add('victim', { administers: ['treasure'] });
    const installation_id = String(provider1.addInstallation('treasure').id);
    const query = { state, installation_id, code: provider1.people.codeFor('victim') };
    expect((await bench.comeBack(query)).status).toBe(303);
    const known = [state, state.split('.')[0]!, `${state.split('.')[0]}.${cookie.split('=')[1]}`];
    for (const attempt of known) {
      const answer = await confirm(attempt, { confirm: true });
      expect([attempt, answer.status]).toEqual([attempt, 404]);
    }
    const again = await bench.comeBack({ ...query, code: provider1.people.codeFor('ada') }, { cookie });
    expect([again.status, again.headers['location']]).toEqual([400, undefined]);
    expect(await linked()).toEqual([]);
  });

  it('after an hour', async () => {
    const ticket = await ticketFor();
    bench.api.clock.advance(3600 * 1000);
    const token = await bench.api.accessTokens.issue(owner);
    expect((await confirm(ticket, { who: { ...owner, token }, confirm: true })).status).toBe(404);
  });

  it('by who may no longer change the organisation', async () => {
    const admin = await createMember(bench.api, { organisationId: owner.organisationId, role: 'admin' });
    const ticket = await ticketFor(admin);
    await bench.api.store.db
      .updateTable('memberships')
      .set({ role: 'user' })
      .where('user_id', '=', admin.userId)
      .execute();
    for (const yes of [false, true]) {
      const answer = await confirm(ticket, { who: admin, confirm: yes });
      expect([answer.status, answer.body.code]).toEqual([403, 'CA005']);
    }
    expect(await linked()).toEqual([]);
  });

  it('by who no longer administers the account', async () => {
    const ticket = await ticketFor();
    bench.hosts.provider1.people.takeBack('ada');
    const answer = await confirm(ticket, { confirm: true });
    expect([answer.status, answer.body.code]).toEqual([409, 'CF001']);
    expect(await linked()).toEqual([]);
  });

  it('while the host is down, but then', async () => {
    const ticket = await ticketFor();
    bench.hosts.provider1.isDown = true;
    const answer = await confirm(ticket, { confirm: true });
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'SV002', '7']);
    bench.hosts.provider1.isDown = false;
    expect((await confirm(ticket, { confirm: true })).body.linked).toBe(true);
  });

  it.each(['x', 'vca_1.2', '\u{1f600}'.repeat(100)])('by what was never given: %s', async (attempt) => {
    expect((await confirm(attempt, { confirm: true })).status).toBe(404);
  });
});
