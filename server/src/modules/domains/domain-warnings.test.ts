import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestOwner } from '../../testing/factories.ts';
import { ownershipText } from './ownership.ts';
import { openDomainWorld, type DomainWorld } from './testing/domain-world.ts';

let world: DomainWorld;
beforeAll(async () => {
  world = await openDomainWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const warningsOf = async (who: TestOwner) => (await world.call('/api/applications/domain-warnings', {}, who)).body;
const served = async (who: TestOwner, domain: string) => {
  const environment = await world.newEnvironment(who);
  await world.link(environment, domain);
  await world.domain('add', environment, { domain });
  await world.look(environment);
  return environment;
};
const setCertificate = (hostname: string, columns: object) =>
  world.api.store.db.updateTable('certificates').set(columns).where('hostname', '=', hostname).execute();

describe('domain-warnings', () => {
  it('tell what is amiss now, however much has happened since, and nothing else', async () => {
    const who = await world.newOwner();
    const [astray, failed, ending, fine] = ['a', 'b', 'c', 'd'].map((name) => `www.${name}-warned.example`) as [
      string,
      string,
      string,
      string,
    ];
    const environment = await served(who, astray);
    for (const domain of [failed, ending, fine]) await served(who, domain);
    expect(await warningsOf(who)).toEqual([]);
    const now = world.api.clock.now().getTime();
    const inDays = (days: number) => new Date(now + days * 86_400_000);
    await setCertificate(failed, { status: 'failed', error: 'No.' });
    const life = { not_before: inDays(-80), not_after: inDays(10), renew_at: inDays(-20) };
    await setCertificate(ending, { ...life, status: 'renewing' });
    await setCertificate(fine, { not_before: inDays(-1), not_after: inDays(89), renew_at: inDays(59) });
    await world.dns.remove(({ name }) => name === astray);
    await world.look(environment);
    const warned = (await warningsOf(who)) as { domain: string; problem: string }[];
    expect(warned.map(({ domain, problem }) => [domain, problem])).toEqual([
      [failed, 'certificate_failed'],
      [astray, 'astray'],
      [ending, 'certificate_expiring'],
    ]);
    expect(warned[1]).toMatchObject({
      environment_id: environment.id,
      application_id: environment.application_id,
      subject: expect.stringMatching(/^Shop.* \/ production$/),
    });
    expect(await warningsOf(await world.newOwner())).toEqual([]);
    await world.link(environment, astray);
    await world.look(environment);
    expect(await warningsOf(who)).toHaveLength(2);
  });

  it('tell for a week of a name that was lost, or until another is there', async () => {
    const [loser, winner] = [await world.newOwner(), await world.newOwner()];
    const [theirs, ours] = [await world.newEnvironment(loser), await world.newEnvironment(winner)];
    const domain = 'www.lost-warned.example';
    await world.domain('add', theirs, { domain });
    await world.dns.add({ type: 'TXT', ...ownershipText(world.deps.ownershipKey, { ...winner, hostname: domain }) });
    await world.domain('add', ours, { domain });
    expect(await warningsOf(loser)).toMatchObject([{ domain, problem: 'lost', environment_id: theirs.id }]);
    await world.domain('add', theirs, { domain: 'www.next-warned.example' });
    expect(await warningsOf(loser)).toEqual([]);
  });
});
