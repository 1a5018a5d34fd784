import { sql, type RawBuilder, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { DomainRow, DomainsTable, EnvironmentRow } from '../../db/schema.ts';
import { baseOf, domainOf } from './hostname.ts';

export async function findDomainOf(db: Db | Tx, environmentId: string): Promise<DomainRow | null> {
  const found = await db
    .selectFrom('domains')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .executeTakeFirst();
  return found ?? null;
}

/** The generated name of an environment, and whether it is served there. */
export async function findGenerated(
  db: Db | Tx,
  environmentId: string,
): Promise<Pick<EnvironmentRow, 'subdomain' | 'hides_subdomain'> | null> {
  const found = await db
    .selectFrom('environments')
    .select(['subdomain', 'hides_subdomain'])
    .where('id', '=', environmentId)
    .executeTakeFirst();
  return found ?? null;
}

/** A domain, with what it takes to say what it belongs to. */
export interface HeldDomain extends DomainRow {
  application_name: string;
  environment_name: string;
  subdomain: string;
}

export async function findDomainAt(db: Db | Tx, hostname: string): Promise<HeldDomain | null> {
  const found = await db
    .selectFrom('domains as d')
    .innerJoin('environments as e', 'e.id', 'd.environment_id')
    .innerJoin('applications as a', 'a.id', 'e.application_id')
    .selectAll('d')
    .select(['a.name as application_name', 'e.name as environment_name', 'e.subdomain'])
    .where('d.hostname', '=', hostname)
    .executeTakeFirst();
  return found ?? null;
}

export async function findDomain(db: Db | Tx, id: string): Promise<DomainRow | null> {
  const found = await db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst();
  return found ?? null;
}

/** Call it with its environment held. Null when it is gone. */
export async function lockDomain(tx: Tx, id: string): Promise<DomainRow | null> {
  const found = await tx.selectFrom('domains').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return found ?? null;
}

export interface NewDomain {
  id: string;
  organisationId: string;
  environmentId: string;
  hostname: string;
  isApex: boolean;
  nextCheckAt: Date;
}

/** False: somebody has the name. */
export async function insertDomain(tx: Tx, domain: NewDomain): Promise<boolean> {
  const inserted = await tx
    .insertInto('domains')
    .values({
      id: domain.id,
      organisation_id: domain.organisationId,
      environment_id: domain.environmentId,
      hostname: domain.hostname,
      is_apex: domain.isApex,
      next_check_at: domain.nextCheckAt,
    })
    .onConflict((conflict) => conflict.column('hostname').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Its certificate goes with it, or is kept while it is good: the store sees to it. */
export async function deleteDomainOf(tx: Tx, environmentId: string): Promise<void> {
  await tx.deleteFrom('domains').where('environment_id', '=', environmentId).execute();
}

export type DomainColumns = Omit<Updateable<DomainsTable>, 'id' | 'organisation_id' | 'environment_id' | 'hostname'>;

export async function updateDomain(tx: Tx, id: string, columns: DomainColumns): Promise<void> {
  await tx
    .updateTable('domains')
    .set({ ...columns, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

export interface Rivals {
  /** Another organisation had the name, one above or below it, or one beside it, and may have left records behind. */
  wereThere: boolean;
  /**
   * Another one has proved, or had, some name of the same domain: a wildcard record of it reaches names of any depth.
   */
  areAround: boolean;
}

export async function findRivals(
  db: Db | Tx,
  { organisationId, hostname }: { organisationId: string; hostname: string },
): Promise<Rivals> {
  const base = baseOf(hostname);
  const labels = base.split('.');
  const above = labels.map((_label, at) => labels.slice(at).join('.'));
  // Names right below a top-level domain have nothing to do with one another.
  const parent = labels.length > 2 ? above[1]! : null;
  // Names below it, read from behind, are all those from its own with a dot up to its own with what comes after a dot.
  const fromBehind = sql`reverse(domain_base(hostname))`;
  const belowOf = (name: string) =>
    sql`${fromBehind} ~>=~ reverse(${`.${name}`}::text) and ${fromBehind} ~<~ reverse(${`/${name}`}::text)`;
  // Whoever has only said that a name is theirs keeps nobody from anything. One for each index: of all in one the
  // planner makes a walk through the table.
  const isAny = (table: 'domains' | 'former_domains', conditions: RawBuilder<unknown>[]) => {
    const isTheirs = sql`organisation_id <> ${organisationId}${table === 'domains' ? sql` and verified_at is not null` : sql``}`;
    const each = conditions.map(
      (where) => sql`exists (select from ${sql.table(table)} where ${isTheirs} and ${where})`,
    );
    return sql.join(each, sql` or `);
  };
  const near = [
    sql`domain_base(hostname) = any(${above}::text[])`,
    belowOf(base),
    sql`domain_parent(hostname) = ${parent}::text`,
  ];
  const domain = domainOf(hostname);
  const around = [sql`domain_base(hostname) = ${domain}`, belowOf(domain)];
  const { rows } = await sql<Rivals>`
    select
      ${isAny('former_domains', near)} as "wereThere",
      ${isAny('domains', around)} or ${isAny('former_domains', around)} as "areAround"`.execute(db);
  return rows[0]!;
}

/** A record that leads there may have been made for them. */
export async function hadOthers(
  db: Db | Tx,
  { subdomain, organisationId }: { subdomain: string; organisationId: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('former_subdomains')
    .select('subdomain')
    .where('subdomain', '=', subdomain)
    .where('organisation_id', '<>', organisationId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export type DueDomain = Pick<DomainRow, 'id' | 'organisation_id' | 'hostname'>;

/** Those whose look should have been long ago: its job was lost. */
export function listForgottenDomains(db: Db, before: Date): Promise<DueDomain[]> {
  return db
    .selectFrom('domains')
    .select(['id', 'organisation_id', 'hostname'])
    .where((where) => where.or([where('next_check_at', '<', before), where('next_check_at', 'is', null)]))
    .execute();
}
