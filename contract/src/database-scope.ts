import { id, organisationFields } from './common-shapes.ts';
import { inOrganisation } from './scopes.ts';

/** What is about one database, which the body names. */
export const ofDatabase = { ...inOrganisation, resource: { kind: 'database', field: 'databaseId' } } as const;
export const ofDatabaseFields = { ...organisationFields, databaseId: id };
