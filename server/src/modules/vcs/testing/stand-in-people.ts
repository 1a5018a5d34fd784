import { randomBytes } from 'node:crypto';
import { invalid } from '../../../lib/fault.ts';
import type { HostPerson, PersonTokens } from '../../../vcs/vcs-host.ts';

export interface StandInPerson extends HostPerson {
  /** Accounts, by their logins: besides their own. */
  administers: Set<string>;
  /** Repositories that are not public, by their full names. */
  reaches: Set<string>;
}

interface Grant {
  person: StandInPerson;
  redirectUrl: string | null;
  accessToken: string;
  refreshToken: string;
  expiresAt: number | null;
}

/**
 * Who signs in at a host, and what they have allowed. Refresh tokens rotate; using an old one ends what was allowed.
 */
export interface StandInPeople {
  add(login: string, can?: { administers?: string[]; reaches?: string[] }): StandInPerson;
  /** What the host gives a person to come back with, once they said yes. Without an address any will do. */
  codeFor(login: string, redirectUrl?: string): string;
  /** As if they had come back with a code. */
  tokensFor(login: string): PersonTokens;
  /** They take back everything that they have allowed. */
  takeBack(login: string): void;
  /** Of access tokens; null: they do not expire. */
  lifeSeconds: number | null;
  redeem(code: string, redirectUrl: string): PersonTokens;
  refresh(refreshToken: string): PersonTokens | null;
  /** Null when the token is no longer good. */
  whose(accessToken: string): StandInPerson | null;
}

export function createStandInPeople(now: () => number): StandInPeople {
  const byLogin = new Map<string, StandInPerson>();
  const codes = new Map<string, Grant>();
  const usedTokens = new Map<string, Grant>();
  let grants: Grant[] = [];

  function grantTo(login: string, redirectUrl: string | null): Grant {
    const person = byLogin.get(login) ?? people.add(login);
    return renewed({ person, redirectUrl, accessToken: '', refreshToken: '', expiresAt: null });
  }

  function renewed(grant: Grant): Grant {
    if (grant.refreshToken) usedTokens.set(grant.refreshToken, grant);
    grant.accessToken = `stand-in-access-${randomBytes(12).toString('hex')}`;
    grant.refreshToken = `stand-in-refresh-${randomBytes(12).toString('hex')}`;
    grant.expiresAt = people.lifeSeconds === null ? null : now() + people.lifeSeconds * 1000;
    return grant;
  }

  const people: StandInPeople = {
    lifeSeconds: 7200,
    add(login, { administers = [], reaches = [] } = {}) {
      const id = byLogin.get(login)?.id ?? String(1000 + byLogin.size);
      const person = { id, login, administers: new Set(administers), reaches: new Set(reaches) };
      byLogin.set(login, person);
      return person;
    },
    codeFor(login, redirectUrl) {
      const code = `code-${randomBytes(8).toString('hex')}`;
      codes.set(code, grantTo(login, redirectUrl ?? null));
      return code;
    },
    tokensFor(login) {
      const grant = grantTo(login, null);
      grants.push(grant);
      return tokensOf(grant);
    },
    takeBack(login) {
      grants = grants.filter(({ person }) => person.login !== login);
    },
    redeem(code, redirectUrl) {
      const grant = codes.get(code);
      codes.delete(code);
      const isTheirs = grant && (grant.redirectUrl === null || grant.redirectUrl === redirectUrl);
      if (!isTheirs) throw invalid('The host no longer knows this sign-in. Begin again.');
      grants.push(grant);
      return tokensOf(grant);
    },
    refresh(refreshToken) {
      const stolen = usedTokens.get(refreshToken);
      if (stolen) grants = grants.filter((grant) => grant !== stolen);
      const grant = grants.find((one) => one.refreshToken === refreshToken);
      return grant ? tokensOf(renewed(grant)) : null;
    },
    whose(accessToken) {
      const grant = grants.find((one) => one.accessToken === accessToken);
      const isGood = grant && (grant.expiresAt === null || grant.expiresAt > now());
      return isGood ? grant.person : null;
    },
  };
  return people;
}

function tokensOf({ accessToken, refreshToken, expiresAt }: Grant): PersonTokens {
  return { accessToken, refreshToken: expiresAt === null ? null : refreshToken, expiresAt };
}
