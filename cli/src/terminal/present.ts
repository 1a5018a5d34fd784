import type { EndpointName } from '@lilac/contract/endpoints';
import { formatDuration } from '@lilac/contract/format-duration';
import { isInstallations, presentInstallation } from '../repository-hosts/render-repository-hosts.ts';
import { isFields, renderTime, type Fields } from './render-cell.ts';

/** An answer as people read it, where names and values alone do not tell. `--json` shows it as it came. */
export function presentForPeople(endpoint: EndpointName, answer: unknown, now: Date): unknown {
  if (endpoint === 'health.get') return presentHealth(answer as Fields);
  if (endpoint === 'api-keys.list') return (answer as Key[]).map((key) => presentKey(key, now));
  if (endpoint === 'config.containerplatform') return presentScaling(answer as { scaling: Fields });
  if (endpoint === 'applications.detect-framework') return presentDetected(answer as Detected);
  if (endpoint === 'environments.activity') return (answer as Fields[]).map(presentActivity);
  if (endpoint === 'organisations.activity') return (answer as Fields[]).map(presentOrganisationActivity);
  if (endpoint === 'applications.list') return presentApplications(answer as Page);
  if (endpoint === 'deployments.get') return presentWholeDeployment(answer as WholeDeployment);
  if (endpoint === 'deployments.list') return (answer as Deployment[]).map(presentDeployment);
  if (isInstallations(endpoint)) return (answer as Fields[]).map(presentInstallation);
  if (!isFields(answer)) return answer;
  return withRootNamed(withoutEmpty.has(endpoint) ? withoutNoise(answer) : answer);
}

/** What a person must know about an answer, and cannot see in it. */
export const notes: Partial<Record<EndpointName, string>> = {
  'api-keys.create': 'The secret is shown only now. Keep it where only you can read it.',
};

/** Long answers, of which a thing uses a few: what is not set there says nothing. */
const withoutEmpty = new Set<EndpointName>(['applications.get', 'environments.get', 'environments.update']);

const forContainers = new Set([
  'runtime',
  'start_command',
  'container_port',
  'memory',
  'cpu',
  'concurrency',
  'cpu_target',
]);

const forRepositories = new Set([
  'git_provider',
  'is_private',
  'auto_deploy_on_push',
  'auto_deploy_branches',
  'auto_delete_stale_envs',
  'push_status',
]);

function withoutNoise(fields: Fields): Fields {
  const isStatic = fields.deployment_type === 'static';
  const isUpload = fields.source_type === 'upload';
  const isNoise = ([key, value]: [string, unknown]) =>
    value === null || (isStatic && forContainers.has(key)) || (isUpload && forRepositories.has(key));
  return Object.fromEntries(Object.entries(fields).filter((entry) => !isNoise(entry)));
}

/** Who did what when; nothing takes the id of an entry. */
function presentActivity({ created_at, action, actor_email }: Fields): Fields {
  return { at: created_at, action, by: actor_email };
}

function presentOrganisationActivity({ created_at, action, subject, actor_email }: Fields): Fields {
  return { at: created_at, action, what: subject, by: actor_email };
}

interface Page extends Fields {
  items: Fields[];
}

/** Of the last deployment, in a line of its own when it is asked for: how it went, and of what. */
function presentApplications({ items, ...page }: Page): Fields {
  return { ...page, items: items.map(presentApplication) };
}

function presentApplication({ last_deployment, ...application }: Fields): Fields {
  const last = last_deployment as (Commit & { status: string }) | null;
  delete application.production_environment_id;
  delete application.live_deployment;
  return { ...application, last_deployment: last && [last.status, commitOf(last)].filter(Boolean).join(' ') };
}

interface WholeDeployment extends Fields {
  stages?: { stage: string; started_at: string }[];
}

/** What an older platform does not tell is left out. */
function presentWholeDeployment({ stages = [], first_run: _build, ...deployment }: WholeDeployment): Fields {
  const times = stages.map(
    ({ stage, started_at }) => `${stage} ${renderTime(started_at, { withSeconds: true }).slice(11)}`,
  );
  return withoutNoise({ ...deployment, stages: times.length > 0 ? times : null });
}

interface Commit {
  commit_sha: string | null;
  commit_message: string | null;
}

type Deployment = Fields & Commit;

/** Short, and of a message what comes first. */
function commitOf({ commit_sha, commit_message }: Commit): string {
  return [commit_sha?.slice(0, 7), commit_message?.split('\n', 1)[0]].filter(Boolean).join(' ');
}

/** A line in a history: short names for short values, and of a message what comes first. */
function presentDeployment(deployment: Deployment): Fields {
  const { id, status, deployment_stage, is_live, can_rollback, started_at, error } = deployment;
  return {
    id,
    status,
    live: is_live,
    started_at,
    rollback: can_rollback,
    commit: commitOf(deployment) || null,
    // What is healthy is released; of the others it tells how far they are, or came.
    stage: status === 'healthy' ? null : deployment_stage,
    error,
  };
}

interface Key extends Fields {
  revoked_at: string | null;
  expires_at: string | null;
  last_used_at: string | null;
}

/** Whether it can be used, and whether it is: then the rest. */
function presentKey({ expires_at, last_used_at, revoked_at, ...key }: Key, now: Date): Fields {
  const status = statusOf({ expires_at, revoked_at }, now);
  return { ...key, status, expires: expires_at, last_used: last_used_at, revoked: revoked_at };
}

function statusOf(
  { revoked_at, expires_at }: Pick<Key, 'revoked_at' | 'expires_at'>,
  now: Date,
): 'active' | 'revoked' | 'expired' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && new Date(expires_at) <= now ? 'expired' : 'active';
}

function presentHealth(health: Fields): Fields {
  return { ...health, uptime: formatDuration(Number(health.uptime) * 1000) };
}

interface Detected extends Fields {
  framework: string | null;
  runtime: string | null;
  packageManager: string | null;
  deploymentType: 'static' | 'container';
}

/** Where no framework is known, what an application made from it would show in its place. */
function presentDetected(detected: Detected): Fields {
  const { framework, runtime, packageManager, deploymentType } = detected;
  const site = packageManager ? 'node' : 'static';
  const language = deploymentType === 'static' ? site : (runtime?.replace(/[\d.]+$/, '') ?? null);
  return withRootNamed({ ...detected, framework: framework ?? language });
}

/** Nothing at all, where a folder is to be named, is the root itself: written as it may be given. */
function withRootNamed(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, isRoot(key, value) ? '.' : value]));
}

const isRoot = (key: string, value: unknown) => value === '' && /^(output|root)_?directory$/i.test(key);

function presentScaling({ scaling, ...rest }: { scaling: Fields }): Fields {
  const ranges = Object.entries(scaling).map(([name, range]) => [name, (range as unknown[]).join(' to ')]);
  return { ...rest, scaling: Object.fromEntries(ranges) as Fields };
}
