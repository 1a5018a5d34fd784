import { ApiError } from '@lilac/contract/client';
import { declarationOf, type EndpointName } from '@lilac/contract/endpoints';

/** Something was to be changed, and whether it was nobody knows: the request may have come, its answer did not. */
export class LostAnswer extends Error {
  override name = 'LostAnswer';
}

/** These only ask, or leave nothing that doing it again would do twice; the others say it themselves. */
const harmless = new Set<EndpointName>([
  'api-keys.list',
  'auth.device.lookup',
  'auth.login',
  'auth.logout',
  'auth.refresh',
  'auth.sessions',
  'auth.setup.lookup',
  'databases.connection-string',
  'databases.dump',
  'databases.explorer.cancel',
  'environments.unlock',
  'organisations.activity',
  'organisations.get',
  'organisations.invitations',
  'organisations.invitations.lookup',
  'organisations.members',
  'upload.cleanup',
  'upload.complete',
  'upload.request-url',
  'vcs-app.sync-installations',
  'vcs-setup.begin',
  'vcs-setup.resume',
  'vcs-setup.show',
]);

/** Whether a call may leave something changed, by what it is and what it carries. */
export function isChanging(name: EndpointName, body?: unknown): boolean {
  const given = (body ?? {}) as { readOnly?: unknown; confirm?: unknown };
  if (name === 'databases.explorer.query') return given.readOnly === false;
  if (name === 'vcs-app.confirm') return given.confirm === true;
  const { method, mcp } = declarationOf(name);
  return method !== 'GET' && !mcp?.readOnly && !harmless.has(name);
}

/** Whether nobody of the platform said anything: the connection broke, or what stands before it gave up waiting. */
export function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return (error.status === 502 || error.status === 504) && error.code === `HTTP${error.status}`;
}
