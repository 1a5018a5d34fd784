import { useMember } from '../../shell/member-context.ts';
import type { Database } from '../databases/describe-database.ts';

/** What every call about a database begins with. */
export function useAddressed({ id }: Pick<Database, 'id'>): { targetOrganisationId: string; databaseId: string } {
  return { targetOrganisationId: useMember().organisation.id, databaseId: id };
}
