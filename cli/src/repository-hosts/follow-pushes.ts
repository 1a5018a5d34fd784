import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@lilac/contract/client';
import type { EndpointName } from '@lilac/contract/endpoints';
import { plainText } from '../terminal/printable.ts';

const TRIES = 10;
const BETWEEN_MS = 500;

interface Asked {
  client: Client;
  /** What was sent, and what was answered. */
  body: Record<string, unknown>;
  answer: unknown;
  signal: AbortSignal | undefined;
}

/**
 * Whether pushes will be deployed turns out only after the answer: the host has to be asked. Who wants them is told
 * here when they will not. What was done stays done, so nothing here is an error.
 */
export async function hintOnPushes(endpoint: EndpointName, asked: Asked): Promise<string | null> {
  const { body } = asked;
  const wants = body.autoDeployOnPush === true || hasSome(body.autoDeployBranches) || body.autoDeleteStaleEnvs === true;
  const isNamed = endpoint === 'applications.update' && body.vcsRepoUrl !== undefined;
  if (!(wants || isNamed) || (endpoint !== 'applications.create' && endpoint !== 'applications.update')) return null;
  try {
    return await followPushes(asked);
  } catch {
    return null;
  }
}

async function followPushes({ client, body, answer, signal }: Asked): Promise<string | null> {
  const applicationId = (answer as { id: string }).id;
  const { targetOrganisationId } = body as { targetOrganisationId?: string };
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await sleep(BETWEEN_MS, undefined, { signal });
    const found = await client.call('applications.get', { body: { applicationId, targetOrganisationId }, signal });
    if (found.push_status !== 'waiting') return found.push_trouble && plainText(found.push_trouble);
  }
  return `Its host has not been made to tell of pushes so far; later, "lilac apps get ${applicationId}" says why.`;
}

const hasSome = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
