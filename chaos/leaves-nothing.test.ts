import { describe, expect, it } from 'vitest';
import { ApiError } from '../contract/src/client.ts';
import { leavesNothing } from './invariants/leaves-nothing.ts';
import { openHome } from './testing/open-home.ts';
import { startListener } from './testing/start-process.ts';
import { stillPeek, stillScene } from './testing/still-scene.ts';

type Kind = 'applications' | 'databases';

/**
 * A platform that has an application and a database; what is deleted goes when it is asked for again, unless it is
 * kept.
 */
function openShelf({ keeps, answer }: { keeps?: Kind; answer?: () => never } = {}) {
  const there: Record<Kind, { id: string; name: string }[]> = {
    applications: [{ id: 'app_1', name: 'site' }],
    databases: [{ id: 'db_1', name: 'a database' }],
  };
  const deleted: unknown[] = [];
  async function call(name: string, { body }: { body: Record<string, unknown> }) {
    const [kind, deed] = name.split('.') as [Kind, string];
    if (deed === 'list') return { items: [...there[kind]] };
    deleted.push(body);
    if (kind !== keeps) there[kind] = [];
    return answer?.();
  }
  return { deleted, deployer: { client: { call } as never } };
}

async function lookTwice(shelf: ReturnType<typeof openShelf>, { put = [] as string[] } = {}) {
  using home = openHome();
  await using platform = await startListener();
  const { deployer } = shelf;
  const scene = stillScene(home, { supervisorPid: platform.pid, publicPort: platform.port, deployer });
  home.put(...put);
  const look = async () => {
    const problems = await leavesNothing({ scene, peek: stillPeek() });
    return problems.map(({ invariant, what }) => `${invariant}: ${what}`);
  };
  return [await look(), await look()];
}

const refuse = (status: number) => (): never => {
  throw new ApiError({ status, code: 'X', message: 'no' } as never);
};

describe('what is deleted', () => {
  it('was there, and is gone', async () => {
    const shelf = openShelf();
    const name = 'what is deleted leaves nothing';
    expect(await lookTwice(shelf)).toEqual([[`${name}: app_1 is still there`, `${name}: db_1 is still there`], []]);
    expect(shelf.deleted).toEqual([
      { targetOrganisationId: 'org_1', applicationId: 'app_1' },
      { targetOrganisationId: 'org_1', databaseId: 'db_1', force: true },
    ]);
  });

  it.each(['applications', 'databases'] as const)('breaks a promise where it stays, of %s', async (keeps) => {
    const [, problems] = await lookTwice(openShelf({ keeps }));
    expect(problems).toHaveLength(1);
  });

  it('breaks one where something is left of it', async () => {
    const [, problems] = await lookTwice(openShelf(), { put: ['databases/dbs_1/'] });
    expect(problems).toEqual(['what is deleted leaves nothing: databases/dbs_1 is left']);
  });

  it.each([404, 409])('may be on its way already (%s)', async (status) => {
    const [, problems] = await lookTwice(openShelf({ answer: refuse(status) }));
    expect(problems).toEqual([]);
  });

  it('is asked for in vain where the platform fails', async () => {
    await expect(lookTwice(openShelf({ answer: refuse(500) }))).rejects.toThrow('no');
  });
});
