import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { ProjectRow } from '../../db/schema.ts';

export function presentProject(row: ProjectRow): OutputOf<Endpoints['projects.create']> {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
