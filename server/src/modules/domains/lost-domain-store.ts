import type { Tx } from '../../db/pool.ts';

export interface LostDomain {
  environmentId: string;
  organisationId: string;
  hostname: string;
  lostAt: Date;
}

/** Notes a loss, of which the environment's people are warned for a while. */
export async function noteLostDomain(
  tx: Tx,
  { environmentId, organisationId, hostname, lostAt }: LostDomain,
): Promise<void> {
  await tx
    .insertInto('lost_domains')
    .values({ environment_id: environmentId, organisation_id: organisationId, hostname, lost_at: lostAt })
    .onConflict((conflict) => conflict.column('environment_id').doUpdateSet({ hostname, lost_at: lostAt }))
    .execute();
}

/** The people of the environment have done something about the loss. */
export async function forgetLostDomain(tx: Tx, environmentId: string): Promise<void> {
  await tx.deleteFrom('lost_domains').where('environment_id', '=', environmentId).execute();
}
