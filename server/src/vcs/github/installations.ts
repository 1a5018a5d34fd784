import { z } from 'zod';
import { Fault } from '../../lib/fault.ts';
import { HostRefusal, ifReached, isGone } from '../connection/host-refusal.ts';
import type { CallOptions, HostInstallation, HostPerson } from '../vcs-host.ts';
import { allPages } from './all-pages.ts';
import type { GithubAccess } from './github-access.ts';

const installation = z.object({
  id: z.int(),
  // An enterprise, which has no login, has no repositories either.
  account: z.object({ id: z.int(), login: z.string().optional(), type: z.string().optional() }).nullable(),
  repository_selection: z.enum(['all', 'selected']),
  suspended_at: z.string().nullish(),
  html_url: z.string(),
});

export async function findInstallation(
  { asApp }: GithubAccess,
  installationId: number,
  { signal }: CallOptions = {},
): Promise<HostInstallation | null> {
  const asking = asApp({
    route: 'GET /app/installations/{installation_id}',
    parameters: { installation_id: installationId },
    shape: installation,
    signal,
  });
  // Whoever hears that it is gone forgets it: a refusal for another reason must not pass for that.
  const found = await asking.catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
  return found && (toInstallations([found.data])[0] ?? null);
}

export async function listInstallations(
  { asApp }: GithubAccess,
  { signal }: CallOptions = {},
): Promise<HostInstallation[]> {
  const question = { route: 'GET /app/installations', shape: z.array(installation), signal };
  return toInstallations(await allPages(asApp, question, (page) => page));
}

export async function installationsOf(
  { asPerson }: GithubAccess,
  accessToken: string,
  { signal }: CallOptions = {},
): Promise<HostInstallation[] | null> {
  const shape = z.object({ installations: z.array(installation) });
  const question = { route: 'GET /user/installations', shape, signal };
  const found = await ifReached(allPages(asPerson(accessToken), question, (page) => page.installations));
  return found && toInstallations(found);
}

export async function findPerson(
  { asPerson }: GithubAccess,
  accessToken: string,
  { signal }: CallOptions = {},
): Promise<HostPerson | null> {
  const shape = z.object({ id: z.int(), login: z.string() });
  const found = await ifReached(asPerson(accessToken)({ route: 'GET /user', shape, signal }));
  return found && { id: String(found.data.id), login: found.data.login };
}

const membership = z.object({ state: z.string(), role: z.string(), organization: z.object({ id: z.int() }) });

export async function administers(
  github: GithubAccess,
  accessToken: string,
  { installation: { account }, options = {} }: { installation: HostInstallation; options: CallOptions | undefined },
): Promise<boolean> {
  if (account.type === 'user') {
    const person = await findPerson(github, accessToken, options);
    return person?.id === String(account.id);
  }
  const asking = github.asPerson(accessToken)({
    route: 'GET /user/memberships/orgs/{org}',
    parameters: { org: account.login },
    shape: membership,
    signal: options.signal,
  });
  const found = await ifReached(
    asking.catch((error: unknown) => Promise.reject(isForApp(error) ? lacksMembers() : error)),
  );
  // A login may have come to another organisation since; its id does not.
  return found?.data.role === 'admin' && found.data.state === 'active' && found.data.organization.id === account.id;
}

/** The host says the same 403 of what the person may not see, in other words. */
function isForApp(error: unknown): boolean {
  return error instanceof HostRefusal && error.status === 403 && /by integration/i.test(error.message);
}

function lacksMembers(): Fault {
  return new Fault(
    'CF001',
    'The app at GitHub may not see who administers an organisation. The operator gives it the permission ' +
      '"Organization members: read"; then the account has to accept it.',
  );
}

export async function uninstall(
  { asApp }: GithubAccess,
  installationId: number,
  { signal }: CallOptions = {},
): Promise<void> {
  const asking = asApp({
    route: 'DELETE /app/installations/{installation_id}',
    parameters: { installation_id: installationId },
    shape: z.unknown(),
    signal,
  });
  await asking.catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });
}

function toInstallations(found: readonly z.infer<typeof installation>[]): HostInstallation[] {
  return found.flatMap(({ id, account, repository_selection, suspended_at, html_url }) => {
    if (account?.login === undefined) return [];
    const type = account.type === 'Organization' ? 'organisation' : 'user';
    return [
      {
        id,
        account: { id: account.id, login: account.login, type } as const,
        repositorySelection: repository_selection,
        isSuspended: Boolean(suspended_at),
        url: html_url,
      },
    ];
  });
}
