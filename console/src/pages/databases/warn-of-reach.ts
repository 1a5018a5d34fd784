import type { NetworkDraft } from './network-fields.tsx';

const FROM_ANYWHERE =
  'Everybody on the network can try to connect to it, and only its password keeps them out. Name the networks that may connect, or leave the public address out if only your own applications here need it.';
const LATER = ' Both can be changed at any time, in its settings.';

/**
 * What a public address means, where nothing narrows it; null where something does. Of a new one also how it is mended.
 */
export function warnOfReach({ isPublic, networks }: NetworkDraft, isNew: boolean): string | null {
  if (!isPublic || networks.trim() !== '') return null;
  return isNew ? FROM_ANYWHERE + LATER : FROM_ANYWHERE;
}
