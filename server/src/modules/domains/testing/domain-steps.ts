import type { EnvironmentRow } from '../../../db/schema.ts';
import type { TestOwner } from '../../../testing/factories.ts';
import { ownershipText } from '../ownership.ts';
import type { DomainWorld } from './domain-world.ts';

export const linkOf = (name: string, { subdomain }: EnvironmentRow) => ({
  type: 'CNAME',
  name,
  value: `${subdomain}.apps.test`,
});

export const pathOf = (what: string) => `/api/applications/${what}-domain`;

/** What the owner does, and what is seen of it. The world need not be there before one of them is called. */
export function domainSteps(given: () => { world: DomainWorld; owner: TestOwner }) {
  const textFor = ({ organisationId }: TestOwner, hostname: string) => {
    const { ownershipKey } = given().world.deps;
    return { type: 'TXT', ...ownershipText(ownershipKey, { organisationId, hostname }) } as const;
  };

  const refusal = async (what: string, body: object, who = given().owner) => {
    const { status, body: answer } = await given().world.call(pathOf(what), body, who);
    return { status, code: answer.code as string, message: answer.message as string };
  };

  const update = ({ id: environmentId }: EnvironmentRow, customDomain: string | null) => {
    const { world, owner } = given();
    return world.call('/api/environments/update', { environmentId, customDomain }, owner);
  };

  const rename = ({ application_id: applicationId }: EnvironmentRow, name: string, who: TestOwner) =>
    given().world.call('/api/applications/rename', { applicationId, name }, who);

  const certificateOf = (hostname: string) => {
    const { db } = given().world.api.store;
    return db.selectFrom('certificates').selectAll().where('hostname', '=', hostname).executeTakeFirst();
  };

  return { textFor, refusal, update, rename, certificateOf };
}
