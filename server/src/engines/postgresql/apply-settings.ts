import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { ServerPlace } from '../host/server-host.ts';
import type { ServerSpec } from '../server.ts';
import { rulesOf } from '../access-rules.ts';
import { readFollows } from './follows-record.ts';
import { accessFile, identityFile, REPLICATION_ROLE } from './host-based-access.ts';
import { settingIn, settingsFile, settingsOf } from './settings.ts';

const SETTINGS = 'postgresql.conf';

/** Writes what the spec asks for into the server's files; true where that is something new. */
export function applySettings(place: ServerPlace, spec: ServerSpec): boolean {
  const changes = [
    replace(place, SETTINGS, settingsFile(settingsOf({ ...wantedOf(spec), ...standbyNeeds(place, spec) }))),
    replace(place, 'pg_hba.conf', accessFile(accessRulesOf(spec))),
    replace(place, 'pg_ident.conf', identityFile(userInfo().username)),
  ];
  return changes.includes(true);
}

/** Nobody but the platform comes to a standby: a session there would outlive a change of the password. */
export const accessRulesOf = ({ role, access }: ServerSpec) => (role === 'standby' ? [] : rulesOf(access));

function wantedOf({ version, port, size }: ServerSpec) {
  return { series: Number.parseInt(version, 10), port, size };
}

function standbyNeeds(place: ServerPlace, { id, role }: ServerSpec) {
  const follows = role === 'standby' ? readFollows(place) : null;
  if (!follows) return {};
  const { primaryPort, password, connections } = follows;
  const conninfo =
    `host=127.0.0.1 port=${primaryPort} user=${REPLICATION_ROLE} password=${password} ` +
    `application_name=${id} sslmode=disable connect_timeout=5`;
  // With less than the primary has it would not go on, and while a tier is changed they differ.
  const last = Number(settingIn(read(place, SETTINGS) ?? '', 'max_connections') ?? 0);
  return { follows: { conninfo, slot: id }, atLeastConnections: Math.max(last, connections) };
}

/** By renaming: what the server's user may have put there is not followed. */
function replace(place: ServerPlace, name: string, content: string): boolean {
  if (read(place, name) === content) return false;
  const path = join(place.home, name);
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, content, { mode: 0o600, flag: 'wx' });
  place.own(`${path}.new`);
  renameSync(`${path}.new`, path);
  return true;
}

function read({ home }: ServerPlace, name: string): string | null {
  try {
    return readFileSync(join(home, name), 'utf8');
  } catch {
    return null;
  }
}
