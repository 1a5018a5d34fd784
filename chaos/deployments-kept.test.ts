import { describe, expect, it } from 'vitest';
import { cancelServer } from './actions/releases.ts';
import { deploymentsKept } from './invariants/deployments-kept.ts';
import type { Check } from './invariants/problem.ts';
import { Ledger } from './ledger.ts';
import { Outages } from './outages.ts';
import { ReleaseHistory } from './release-history.ts';
import type { Scene, Subject } from './scene.ts';

const environmentId = 'env_1';
/** As many as the platform keeps of each environment. */
const HISTORY = 20;

/** Listed and seen, by their ids: how each deployment is. */
function problemsOf(ledger: Ledger, listed: Record<string, string>, seen: Record<string, string> = {}) {
  const rows = Object.entries(listed).map(([id, status]) => ({ id, status }));
  const scene = {
    ledger,
    deployer: { client: { call: async () => rows } },
    watch: { seenIn: () => new Map(Object.entries(seen)) },
  };
  const liveDeploymentId = rows.find(({ status }) => status === 'healthy')?.id ?? null;
  const check = { scene, peek: { routes: async () => [{ environmentId, liveDeploymentId }] } } as unknown as Check;
  return deploymentsKept(check, { environmentId, part: 'server' } as Subject);
}

function ledgerWith(...ids: (string | null)[]): Ledger {
  const ledger = new Ledger();
  for (const id of ids) {
    const asked = ledger.ask(`live ${environmentId}`, `words of ${id}`);
    ledger.noteDeployment({ environmentId, id, words: `words of ${id}` });
    if (id !== null) asked.acknowledged();
  }
  return ledger;
}

const healthy = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, 'healthy']));

describe('deployments', () => {
  const many = Array.from({ length: HISTORY * 2 }, (_, at) => `dep_${at}`);
  const newestFirst = many.toReversed();

  it('are well where they are those that were acknowledged, also when history is cut', async () => {
    expect(await problemsOf(ledgerWith(...many), healthy(newestFirst.slice(0, HISTORY)))).toEqual([]);
  });

  it('are made twice where there is one that nobody was told of, however many were asked for', async () => {
    const listed = healthy([...newestFirst.slice(0, HISTORY - 1), 'dep_twice']);
    const problems = await problemsOf(ledgerWith(...many), listed);
    expect(problems.map(({ what }) => what)).toEqual([
      '1 deployments that nobody was told of (dep_twice), 0 unanswered',
    ]);
  });

  it('are made twice also where that was seen once and is forgotten', async () => {
    const listed = healthy(newestFirst.slice(0, HISTORY));
    expect(await problemsOf(ledgerWith(...many), listed, { dep_twice: 'cancelled' })).toHaveLength(1);
  });

  it('may be unknown as often as nobody answered', async () => {
    const ledger = ledgerWith('dep_one', null, 'dep_two');
    expect(await problemsOf(ledger, healthy(['dep_two', 'dep_unknown', 'dep_one']))).toEqual([]);
    expect(await problemsOf(ledger, healthy(['dep_two', 'dep_unknown', 'dep_other', 'dep_one']))).toHaveLength(1);
  });
});

async function cancel(answer: () => Promise<unknown>, history = new ReleaseHistory()): Promise<Ledger> {
  const ledger = ledgerWith('dep_one', 'dep_two');
  const call = (name: string) =>
    name === 'deployments.list' ? Promise.resolve([{ id: 'dep_two', status: 'building' }]) : answer();
  const scene = {
    ledger,
    outages: new Outages(),
    events: { tell: () => {}, about: () => [] },
    deployer: { client: { call } },
    server: { part: 'server', environmentId, history },
  } as unknown as Scene;
  await cancelServer(scene, { number: 1, atMs: 0, lane: 'server', name: 'cancel-server', roll: 1 });
  return ledger;
}

describe('a deployment that was cancelled', () => {
  const live = { dep_two: 'healthy', dep_one: 'healthy' };

  it('is lost where it goes on', async () => {
    const ledger = await cancel(async () => ({}));
    expect((await problemsOf(ledger, live)).map(({ what }) => what)).toEqual(['dep_two was cancelled, and is healthy']);
    expect(await problemsOf(ledger, { dep_two: 'cancelled', dep_one: 'healthy' })).toEqual([]);
  });

  it('may go on where nobody answered, and as it was where somebody went back to it', async () => {
    expect(await problemsOf(await cancel(() => Promise.reject(new Error('socket hang up'))), live)).toEqual([]);
    const history = new ReleaseHistory();
    history.ask('words of dep_two').acknowledged('dep_two');
    history.ask('words of dep_two', 'dep_two').acknowledged('dep_two');
    expect(await problemsOf(await cancel(async () => ({}), history), live)).toEqual([]);
  });
});
