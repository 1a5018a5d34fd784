import type { GitProvider } from '@lilac/contract/states';
import { conflict } from '../../../lib/fault.ts';
import { newToken } from '../../../lib/hash.ts';
import { readHostSettings } from './host-settings.ts';
import { placeOfSettings, readHostStates, type SettingsDeps } from './read-settings.ts';
import { deleteSettings, storeSealedSettings } from './settings-store.ts';

/** Refused where the operator's file has the say: what is stored would not count. */
export async function requireSettingsInStore(deps: SettingsDeps, provider: GitProvider): Promise<void> {
  const { source, trouble } = (await readHostStates(deps))[provider];
  if (source !== 'file') return;
  throw conflict(trouble ?? `${provider} is set up by the file of LILAC_VCS_APPS_FILE. Change it there.`);
}

/** Checks what was given and keeps it sealed, in place of what there was. */
export async function saveHostSettings(deps: SettingsDeps, provider: GitProvider, given: unknown): Promise<void> {
  const settings = readHostSettings(provider, given);
  await requireSettingsInStore(deps, provider);
  const sealed = deps.keyring.seal(JSON.stringify(settings), placeOfSettings(provider));
  await storeSealedSettings(deps.store.db, { provider, settings: sealed });
}

/** False when there was nothing to remove. */
export async function removeHostSettings(deps: SettingsDeps, provider: GitProvider): Promise<boolean> {
  await requireSettingsInStore(deps, provider);
  return await deleteSettings(deps.store.db, provider);
}

/** For an operator who has none: to be entered at the host. */
export const newWebhookSecret = newToken;
