import type { VcsConnectionRow } from '../../../db/schema.ts';
import type { CallOptions, SignInHost } from '../../../vcs/vcs-host.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { freshToken } from './fresh-token.ts';

/**
 * Asks a host with what a person has allowed. A host never tells "not there" from "not yours", but it tells whether a
 * token is good: so an answer of null is doubted once, and what was taken back before its time becomes `trouble`.
 * Null when the person must connect again.
 */
export async function askAsPerson<T>(
  deps: VcsDeps,
  { host, connection, signal }: { host: SignInHost; connection: VcsConnectionRow } & CallOptions,
  ask: (accessToken: string) => Promise<T | null>,
): Promise<{ answer: T | null } | null> {
  const accessToken = await freshToken(deps, connection);
  if (accessToken === null) return null;
  const answer = await ask(accessToken);
  if (answer !== null || (await host.findPerson(accessToken, { signal })) !== null) return { answer };
  const replaced = await freshToken(deps, connection, { refused: accessToken });
  return replaced === null ? null : { answer: await ask(replaced) };
}
