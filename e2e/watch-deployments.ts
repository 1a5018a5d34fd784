import type { Account } from './acknowledged-writes.ts';
import { createDeployer, type Application, type Deployer } from './deploying.ts';
import type { Hosts } from './hosts.ts';
import type { Deploying } from './keep-deploying.ts';
import { findNotMadeOnce, type Made } from './made-once.ts';
import { until } from './platform.ts';

const ENDED = `('healthy', 'failed', 'cancelled')`;

/** Keeps a book of every deployment, with each of its ends: the platform itself keeps the newest only. */
export const WATCH_DEPLOYMENTS = `
  create table deployment_marks (deployment text, upload text, ended_as text);
  create function mark_deployments() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into deployment_marks (deployment, upload) values (new.id, new.upload_id);
    elsif new.status in ${ENDED}
      and (old.status <> new.status or old.completed_at is distinct from new.completed_at) then
      insert into deployment_marks (deployment, ended_as) values (new.id, new.status);
    end if;
    return new;
  end $$;
  create trigger mark_deployments after insert or update on deployments
    for each row execute function mark_deployments()`;

interface Deployed {
  account: Account;
  application: Application;
  /** The deployment that came with the application, before any was asked for. */
  first: string;
  deploying: Deploying;
}

/** Waits until all have ended; what was acknowledged and is lost, what was done twice, and what nobody asked for. */
export async function findDeploymentTroubles(all: Hosts, deployed: Deployed): Promise<string[]> {
  const { account, application, first, deploying } = deployed;
  const unfinished = `select id from deployments where status not in ${ENDED}`;
  await until('every deployment has ended', async () => (await all.ask(unfinished)).length === 0);
  const made = await all.ask<Made>(
    `select deployment as id, coalesce(upload, 'no archive') as sent from deployment_marks where ended_as is null`,
  );
  const deployer = createDeployer(all.hosts[0]!, account);
  const ids = made.map(({ id }) => id);
  return [
    ...findNotMadeOnce(
      deploying.calls,
      made.filter(({ id }) => id !== first),
    ),
    ...(await findNotEndedOnce(all, ids, deploying.released)),
    ...(await findWorkedTwice(all)),
    ...(await findMistold(deployer, application, { made: ids, released: deploying.released })),
  ];
}

async function findNotEndedOnce(all: Hosts, made: string[], released: readonly string[]): Promise<string[]> {
  const ends = await all.ask<{ deployment: string; ended_as: string }>(
    'select deployment, ended_as from deployment_marks where ended_as is not null',
  );
  return made.flatMap((id) => {
    const its = ends.filter(({ deployment }) => deployment === id).map(({ ended_as }) => ended_as);
    const isRight = its.length === 1 && (its[0] === 'healthy' || !released.includes(id));
    return isRight ? [] : [`${id} ended ${its.length} times: ${its.join(', ')}`];
  });
}

/** A worker that was killed leaves its job to another: it is tried again, and stays one job. */
async function findWorkedTwice(all: Hosts): Promise<string[]> {
  const rows = await all.ask<{ kind: string; deployment: string; count: number }>(`
    select kind, payload->>'deploymentId' as deployment, count(*)::int as count from jobs
    where kind in ('deployments.build', 'deployments.release') group by kind, deployment having count(*) > 1`);
  return rows.map(({ kind, deployment, count }) => `${deployment} has ${count} jobs: ${kind}`);
}

/** Half of those that the platform keeps: what was never acknowledged counts there too. */
const NEWEST = 10;

/**
 * What people are told: the newest deployments are listed once, and the activity has one entry for each ever asked for.
 */
async function findMistold(
  { client, targetOrganisationId }: Deployer,
  { environmentId }: Application,
  { made, released }: { made: readonly string[]; released: readonly string[] },
): Promise<string[]> {
  const body = { targetOrganisationId, environmentId };
  const deployments = await readAll((page) => client.call('deployments.list', { body: { ...body, ...page } }));
  const entries = await readAll((page) => client.call('environments.activity', { body: { ...body, ...page } }));
  const listed = deployments.map(({ id }) => id);
  const started = entries.filter(({ action }) => action === 'deployment_started').length;
  // The first came with its application, and so did its entry.
  const asked = made.length - 1;
  return [
    ...released.slice(-NEWEST).flatMap((id) => (listed.includes(id) ? [] : [`${id} is not listed`])),
    ...listed.flatMap((id, at) => (listed.indexOf(id) === at ? [] : [`${id} is listed twice`])),
    ...listed.flatMap((id) => (made.includes(id) ? [] : [`${id} is listed and was never made`])),
    ...(started === asked ? [] : [`${started} entries of activity for ${asked} deployments`]),
  ];
}

const PAGE = 100;

async function readAll<T>(read: (page: { limit: number; offset: number }) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const page = await read({ limit: PAGE, offset: all.length });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
