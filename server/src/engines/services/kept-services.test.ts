import type { DatabaseType } from '@lilac/contract/states';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canRunDocker } from '../../testing/docker/can-run-docker.ts';
import { eventually } from '../../testing/eventually.ts';
import { OWNER } from '../conformance-subject.ts';
import { findLost, startWriters, type Writers } from '../conformance-writers.ts';
import { findPrograms as findMysql } from '../mysql/programs.ts';
import { openMysql } from '../mysql/testing/mysql-subject.ts';
import { findPrograms as findPostgresql } from '../postgresql/programs.ts';
import { openPostgresql } from '../postgresql/testing/postgresql-subject.ts';
import { keepDatabase, type KeptDatabase, type KeptSubject } from './testing/kept-database.ts';
import { startLocalSwarm, type LocalSwarm } from './testing/local-swarm.ts';

const [postgresql] = await findPostgresql(null);
const { programs: mysql } = await findMysql();
const kinds: { type: DatabaseType; open: (swarm: LocalSwarm) => Promise<KeptSubject> }[] = [
  ...(postgresql
    ? [
        {
          type: 'postgresql' as const,
          open: (swarm: LocalSwarm) => openPostgresql(postgresql, 'lilac-pg-', swarm.settings),
        },
      ]
    : []),
  ...(mysql ? [{ type: 'mysql' as const, open: (swarm: LocalSwarm) => openMysql(swarm.settings) }] : []),
];

describe.runIf(canRunDocker())('the keeper of databases that are services', () => {
  let swarm: LocalSwarm;
  beforeAll(async () => {
    swarm = await startLocalSwarm();
  }, 900_000);
  afterAll(async () => {
    await swarm?.[Symbol.asyncDispose]();
  });

  const containerOf = async (serverId: string) => {
    const found = await swarm.engine.docker.listContainers({
      filters: { label: [`lilac.databases.server=${serverId}`] },
    });
    return found.map(({ Id }) => Id).join();
  };

  describe.each(kinds)('of $type', ({ type, open }) => {
    let subject: KeptSubject;
    let kept: KeptDatabase;
    beforeAll(async () => {
      subject = await open(swarm);
      kept = await keepDatabase(subject, type);
    });
    afterAll(async () => {
      await kept?.[Symbol.asyncDispose]();
      await subject?.[Symbol.asyncDispose]();
    });

    const untilHealthy = () => eventually('it is healthy', async () => (await kept.row()).status === 'healthy');
    const untilDegraded = (reason: RegExp) =>
      eventually(`it is told to be away: ${reason}`, async () => {
        const { status, error } = await kept.row();
        return status === 'degraded' && reason.test(error ?? '');
      });

    /** Clients write all the time. Gives what was acknowledged, and is not there when another start has run. */
    async function lostBy(trouble: (writers: Writers) => Promise<void>): Promise<string[]> {
      await untilHealthy();
      const before = await containerOf(kept.serverId);
      expect(before).toMatch(/^[0-9a-f]{64}$/);
      const writers = await startWriters(subject, kept.port);
      try {
        await writers.untilMore(100);
        await trouble(writers);
        await eventually('there is another', async () => !['', before].includes(await containerOf(kept.serverId)));
        await writers.untilMore(100);
        await untilHealthy();
      } finally {
        await writers.stop();
      }
      await using client = await subject.connect({ ...OWNER, port: kept.port });
      const lost = await findLost(client, writers.acknowledged);
      await client.query('drop table written');
      return lost;
    }

    it('tells that they are away while the engine of Docker is stopped, and starts them when it is back', async () => {
      const lost = await lostBy(async () => {
        await swarm.engine.stop('SIGTERM');
        await untilDegraded(/does not answer/);
        await swarm.engine.start();
      });
      expect(lost).toEqual([]);
    });

    it('lets them run on when the engine is killed, and starts them again when the next one has ended them', async () => {
      const lost = await lostBy(async (writers) => {
        await swarm.engine.stop('SIGKILL');
        await writers.untilMore(500);
        expect((await kept.row()).status).toBe('healthy');
        await swarm.engine.start();
      });
      expect(lost).toEqual([]);
    });

    it('tells in the words of the swarm that their machine may run nothing, and starts them when it may', async () => {
      const lost = await lostBy(async () => {
        await swarm.setAvailability('drain');
        await untilDegraded(/does not start the server.*no suitable node/);
        await swarm.setAvailability('active');
      });
      expect(lost).toEqual([]);
    });
  });
});
