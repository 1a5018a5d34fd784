import { randomBytes } from 'node:crypto';
import { createLocalObjectStore } from '../../objects/local/local-object-store.ts';
import type { ObjectStore } from '../../objects/object-store.ts';

export function openObjects(root: string): ObjectStore {
  return createLocalObjectStore({ root, signingKey: randomBytes(32), publicUrl: new URL('http://localhost') });
}
