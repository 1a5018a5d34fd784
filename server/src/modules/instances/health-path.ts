import { StartFailed } from './fleet.ts';

/** The one `LILAC_` name whose value is a person's to set. */
export const HEALTH_PATH = 'LILAC_HEALTH_PATH';

const VALID = /^\/[\x21-\x7e]{0,999}$/;

/** The same for a deployment that is live already: what cannot be asked for is not. */
export function knownHealthPath(variables: Readonly<Record<string, string>>): string | null {
  const path = variables[HEALTH_PATH] ?? '';
  return VALID.test(path) ? path : null;
}

/** Where the deployment's instances say whether they are well; null where nothing was said. */
export function healthPathOf(variables: Readonly<Record<string, string>>): string | null {
  const path = variables[HEALTH_PATH];
  if (path === undefined || path === '') return null;
  if (VALID.test(path)) return path;
  throw new StartFailed(
    `${HEALTH_PATH} must begin with "/", have at most 1,000 characters, and encode all but plain ones. Change it, then deploy again.`,
  );
}
