import { invalid } from '../../../lib/fault.ts';
import type {
  AppHost,
  CallOptions,
  HostInstallation,
  HostPerson,
  PersonTokens,
  SignInHost,
} from '../../../vcs/vcs-host.ts';

/** Who came back from the host. */
export interface FoundPerson {
  tokens: PersonTokens;
  person: HostPerson;
}

/** And what they brought. */
export interface Found extends FoundPerson {
  /** Null on hosts that have none. */
  installation: HostInstallation | null;
}

/** Throws a `Fault` for a code that was used before or is another's. */
export async function findPerson(
  host: SignInHost,
  { code, redirectUrl }: { code: string; redirectUrl: string },
  options: CallOptions,
): Promise<FoundPerson> {
  const tokens = await host.redeemCode({ code, redirectUrl }, options);
  const person = await host.findPerson(tokens.accessToken, options);
  if (!person) throw invalid('The host does not say who you are. Begin again.');
  return { tokens, person };
}

/**
 * The number of an installation comes by way of a browser, so it is anybody's to invent: it counts only if the host
 * says that this person administers the account. Null otherwise, and when there is no such installation: nobody is told
 * which of the two, nor whose it is.
 */
export async function findOwnInstallation(
  host: AppHost,
  { installationId, accessToken }: { installationId: number; accessToken: string },
  options: CallOptions,
): Promise<HostInstallation | null> {
  const installation = await host.findInstallation(installationId, options);
  const isTheirs = installation && (await host.administers(accessToken, installation, options));
  return isTheirs ? installation : null;
}

export const NOT_THEIRS =
  'There is no such installation, or you do not administer the account it belongs to. Somebody who does must link it.';
