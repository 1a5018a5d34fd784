import { rigTeam, type RigLogin } from '../../testing/host-rig.ts';
import { roleIn } from '../../testing/rig-people.ts';
import type { EmulatedGithub } from './emulated-github.ts';

/** Where the app is installed. The emulated host only knows what it was seeded with. */
export interface RigInstallation {
  id: number;
  account: string;
  isSuspended: boolean;
  /** `all`, or the full names of those that were chosen. */
  chosen: 'all' | readonly string[];
}

/** What a token of the host stands for. */
export type RigToken =
  | { kind: 'person'; login: RigLogin }
  | {
      kind: 'installation';
      installationId: number;
      permissions: Record<string, string>;
      /** Full names; `all` of those that the installation has. */
      repositories: 'all' | readonly string[];
    };

export interface RigInstallations {
  list(): RigInstallation[];
  find(id: number): RigInstallation | null;
  at(account: string): RigInstallation | null;
  add(account: string, chosen: RigInstallation['chosen']): RigInstallation;
  /** Its tokens die with it. */
  remove(id: number): RigInstallation;
  change(id: number, change: Partial<Pick<RigInstallation, 'isSuspended' | 'chosen'>>): RigInstallation;
  /** Whether that token, as things are now, is for this repository. */
  covers(token: RigToken, fullName: string): boolean;
}

export function createRigInstallations(github: EmulatedGithub): RigInstallations {
  const installed = new Map<number, RigInstallation>();
  const given = new Map<string, number>();
  const find = (id: number) => installed.get(id) ?? null;
  const at = (account: string) => [...installed.values()].find((each) => each.account === account) ?? null;
  const known = (id: number): RigInstallation => {
    const found = find(id);
    if (!found) throw new Error(`There is no installation ${id}.`);
    return found;
  };
  return {
    find,
    at,
    list: () => [...installed.values()],
    add(account, chosen) {
      if (at(account)) throw new Error(`The app is installed at ${account} already.`);
      const count = given.get(account) ?? 0;
      const id = github.installationIds(account)[count];
      if (id === undefined) throw new Error(`The app cannot be installed at ${account} once more.`);
      given.set(account, count + 1);
      const installation = { id, account, isSuspended: false, chosen };
      installed.set(id, installation);
      return installation;
    },
    remove(id) {
      const gone = known(id);
      installed.delete(id);
      return gone;
    },
    change(id, change) {
      const changed = { ...known(id), ...change };
      installed.set(id, changed);
      return changed;
    },
    covers(token, fullName) {
      if (token.kind === 'person') return roleIn(fullName, token.login) !== null;
      const installation = find(token.installationId);
      if (!installation || installation.isSuspended || !isBelow(fullName, installation.account)) return false;
      const { chosen } = installation;
      const isChosen = chosen === 'all' || chosen.includes(fullName);
      return isChosen && (token.repositories === 'all' || token.repositories.includes(fullName));
    },
  };
}

export const isBelow = (fullName: string, account: string) => fullName.startsWith(`${account}/`);

/** Who sees an installation at all, and who may make one. */
export function roleAt(account: string, login: RigLogin): 'owner' | 'member' | null {
  return account === rigTeam || account === login ? roleIn(`${account}/any`, login) : null;
}
