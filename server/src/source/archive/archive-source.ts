import type { ObjectStore } from '../../objects/object-store.ts';

/** A zip that lies in the object store. */
export interface ArchiveSource {
  objects: Pick<ObjectStore, 'stat' | 'read'>;
  key: string;
}
