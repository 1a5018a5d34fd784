import type { DomainProblem } from '@lilac/contract/domains';
import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';

export interface DomainWarningRow {
  application_id: string;
  environment_id: string;
  application_name: string;
  environment_name: string;
  domain: string;
  problem: DomainProblem;
}

/** By then whoever had it has heard of it. */
const LOST_DAYS = 7;
/** More are of no use on one page. */
const MOST = 100;

/** What is amiss at this moment with the domains of an organisation. What has no certificate at all comes first. */
export async function listDomainWarnings(
  db: Db,
  { organisationId, now, isSecure }: { organisationId: string; now: Date; isSecure: boolean },
): Promise<DomainWarningRow[]> {
  const { rows } = await sql<DomainWarningRow>`
    with amiss as (
      select d.environment_id, d.hostname as domain, case
        when c.status = 'failed' then 'certificate_failed'
        when d.astray_since is not null then 'astray'
        when c.renew_at < ${now} and c.not_after - ${now}::timestamptz < (c.not_after - c.not_before) / 6
          then 'certificate_expiring'
      end as problem
      from domains d left join certificates c on c.domain_id = d.id and ${isSecure}
      where d.organisation_id = ${organisationId}
      union all
      select environment_id, hostname, 'lost' from lost_domains
      where organisation_id = ${organisationId} and lost_at > ${now}::timestamptz - ${LOST_DAYS} * interval '1 day'
    )
    select e.application_id, e.id as environment_id, a.name as application_name, e.name as environment_name,
      amiss.domain, amiss.problem
    from amiss join environments e on e.id = amiss.environment_id join applications a on a.id = e.application_id
    where amiss.problem is not null and e.status <> 'deleting'
    order by amiss.problem = 'certificate_failed' desc, amiss.domain
    limit ${MOST}`.execute(db);
  return rows;
}
