import type { ResourceKind } from '@lilac/contract/endpoint';
import type { KeyRole, Role } from '@lilac/contract/permissions';
import type { Plan } from '@lilac/contract/plans';
import type pg from 'pg';
import { queryDescribed } from '../db/described-query.ts';
import type { ResourceRows } from './handler.ts';
import { resourceColumns, resourceTables } from './resource-columns.ts';

export interface AddressedResource {
  kind: ResourceKind;
  id: string;
}

export type ResourceRow = ResourceRows[ResourceKind];

export interface MembershipAccess {
  role: Role;
  plan: Plan;
  /** False only when the session was asked about. */
  isSessionLive: boolean;
  resource: ResourceRow | null;
}

/** A session that must not have ended by now: neither revoked nor expired. */
export interface SessionToProve {
  sessionId: string;
  now: Date;
}

export interface KeyAccess {
  keyId: string;
  organisationId: string;
  role: KeyRole;
  secretHash: Buffer;
  expiresAt: Date | null;
  revokedAt: Date | null;
  plan: Plan;
  resource: ResourceRow | null;
}

export interface AccessStore {
  findMembership(of: {
    userId: string;
    organisationId: string;
    /** Left out, nobody asks about the session. */
    session?: SessionToProve;
    resource: AddressedResource | null;
  }): Promise<MembershipAccess | null>;
  /** The ids of those that a person belongs to, as far as they are wanted. */
  listOrganisations(userId: string, limit: number): Promise<string[]>;
  /** For endpoints of no organisation. */
  isSessionLive(userId: string, session: SessionToProve): Promise<boolean>;
  findKey(of: { publicId: string; resource: AddressedResource | null }): Promise<KeyAccess | null>;
}

/**
 * Everything admission wants to know, in one query: what the caller is in the organisation, its
 * plan, and the row the request addresses, which is joined only when it belongs to that organisation.
 */
export function createAccessStore(pool: pg.Pool): AccessStore {
  return {
    async findMembership({ userId, organisationId, session, resource }) {
      const { name, text, columns } = membershipStatements[resource?.kind ?? 'none'];
      const asked = [userId, organisationId, session?.sessionId ?? null, session?.now ?? null];
      const values = resource ? [...asked, resource.id] : asked;
      const { rows } = await queryDescribed<MembershipValues>(pool, { name, text, values, rowMode: 'array' });
      if (!rows[0]) return null;
      const [role, plan, isSessionLive, ...joined] = rows[0];
      return { role, plan, isSessionLive, resource: rowOf(columns, joined) };
    },
    async listOrganisations(userId, limit) {
      const { rows } = await pool.query<[string]>({
        ...organisationsStatement,
        values: [userId, limit],
        rowMode: 'array',
      });
      return rows.map(([id]) => id);
    },
    async isSessionLive(userId, { sessionId, now }) {
      const values = [userId, sessionId, now];
      const { rows } = await queryDescribed<[boolean]>(pool, { ...sessionStatement, values, rowMode: 'array' });
      return rows[0]![0];
    },
    async findKey({ publicId, resource }) {
      const { name, text, columns } = keyStatements[resource?.kind ?? 'none'];
      const values = resource ? [publicId, resource.id] : [publicId];
      const { rows } = await queryDescribed<KeyValues>(pool, { name, text, values, rowMode: 'array' });
      if (!rows[0]) return null;
      const [keyId, organisationId, role, secretHash, expiresAt, revokedAt, plan, ...joined] = rows[0];
      return {
        keyId,
        organisationId,
        role,
        secretHash,
        expiresAt,
        revokedAt,
        plan,
        resource: rowOf(columns, joined),
      };
    },
  };
}

type MembershipValues = [Role, Plan, boolean, ...unknown[]];
type KeyValues = [string, string, KeyRole, Buffer, Date | null, Date | null, Plan, ...unknown[]];

interface Statement {
  name: string;
  text: string;
  columns: readonly string[];
}

type Statements = Record<ResourceKind | 'none', Statement>;

function liveSession(userId: string, sessionId: string, now: string): string {
  return [
    `exists (select from sessions s where s.id = ${sessionId} and s.user_id = ${userId}`,
    `and s.revoked_at is null and s.expires_at > ${now})`,
  ].join(' ');
}

const sessionStatement = { name: 'access-session', text: `select ${liveSession('$1', '$2', '$3')}` };

const organisationsStatement = {
  name: 'access-organisations',
  text: 'select organisation_id from memberships where user_id = $1 limit $2',
};

const membershipStatements: Statements = statementsFor('membership', (columns, join) =>
  [
    `select m.role, o.plan, $3::text is null or ${liveSession('m.user_id', '$3', '$4::timestamptz')}${columns}`,
    'from memberships m',
    'join organisations o on o.id = m.organisation_id',
    join('m.organisation_id', '$5'),
    'where m.user_id = $1 and m.organisation_id = $2',
  ].join(' '),
);

const keyStatements: Statements = statementsFor('key', (columns, join) =>
  [
    'select k.id, k.organisation_id, k.role, k.secret_hash, k.expires_at, k.revoked_at,',
    `o.plan${columns} from api_keys k`,
    'join organisations o on o.id = k.organisation_id',
    join('k.organisation_id', '$2'),
    'where k.public_id = $1',
  ].join(' '),
);

function statementsFor(
  name: string,
  write: (columns: string, join: (organisation: string, id: string) => string) => string,
): Statements {
  const statement = (kind: ResourceKind): Statement => {
    const columns = Object.keys(resourceColumns[kind]);
    const list = columns.map((column) => `, r.${column}`).join('');
    const text = write(
      list,
      (organisation, id) =>
        `left join ${resourceTables[kind]} r on r.id = ${id} and r.organisation_id = ${organisation}`,
    );
    return { name: `access-${name}-${kind}`, text, columns };
  };
  return {
    none: { name: `access-${name}`, text: write('', () => ''), columns: [] },
    application: statement('application'),
    database: statement('database'),
    deployment: statement('deployment'),
    environment: statement('environment'),
    project: statement('project'),
    upload: statement('upload'),
  };
}

function rowOf(columns: readonly string[], values: readonly unknown[]): ResourceRow | null {
  // The first column is the id: null when nothing was joined.
  if (columns.length === 0 || values[0] === null) return null;
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index++) row[columns[index]!] = values[index];
  return row as unknown as ResourceRow;
}
