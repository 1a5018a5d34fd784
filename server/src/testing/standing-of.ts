import type { TestApi } from './harness.ts';
import type { Settlement } from './settlement.ts';

/**
 * What of a settlement its owner needs to go on: who they are, and that everything can still be named. The same text
 * as before says that nothing of it was lost.
 */
export async function standingOf({ store }: TestApi, of: Settlement): Promise<string> {
  const { rows } = await store.pool.query<{ standing: string }>(STANDING, [
    of.owner.userId,
    of.owner.sessionId,
    of.organisationId,
    [of.application.id, of.environment.id, of.deployment.id, of.database.id, of.upload.id, of.project.id],
    [of.keyId, of.invitationId, of.backupId, ...Object.values(of.connections)],
    of.installationId,
  ]);
  return rows[0]!.standing;
}

const STANDING = `
  select jsonb_build_array(
    (select jsonb_build_array(password_hash, totp_secret) from users where id = $1),
    (select revoked_at from sessions where id = $2),
    (select jsonb_build_array(m.role, o.plan) from memberships m join organisations o on o.id = m.organisation_id
      where m.user_id = $1 and o.id = $3),
    (select jsonb_agg(id order by id) from (
      select id from applications where status <> 'deleting' union all
      select id from environments where status <> 'deleting' union all
      select id from databases where status <> 'deleting' union all
      select id from deployments union all select id from uploads union all select id from projects
    ) things where id = any($4)),
    (select jsonb_agg(id order by id) from (
      select id from api_keys where revoked_at is null union all select id from invitations union all
      select id from database_backups union all select connection_id from vcs_connection_links
    ) rights where id = any($5)),
    (select count(*) from vcs_installation_links where installation_id = $6)
  )::text as standing`;
