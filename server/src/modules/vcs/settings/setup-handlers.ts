import type { GitProvider } from '@lilac/contract/states';
import type { HandlersFor } from '../../../http/handler.ts';
import { Fault } from '../../../lib/fault.ts';
import { newToken } from '../../../lib/hash.ts';
import type { AppSettings } from '../../../vcs/vcs-host.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import type { HostFinding } from './check-host.ts';
import { hostAddresses } from './host-addresses.ts';
import { readHostStates, usableSettings, type HostState, type HostStates } from './read-settings.ts';
import { newWebhookSecret, requireSettingsInStore, saveHostSettings } from './save-settings.ts';
import { requireVcsSetupToken, SETUP_PAGE } from './setup-link.ts';

export interface SetupDeps extends Pick<VcsDeps, 'store' | 'config' | 'keyring' | 'clock' | 'log'> {
  /** What the first host makes an app of, and where a browser posts it to. */
  appManifest(addresses: {
    hostUrl: URL;
    platformUrl: URL;
    callbackUrl: string;
    webhookUrl: string;
    redirectUrl: string;
  }): { manifest: object; postUrl: string };
  /** Redeems the code with which the first host sends a browser back. A code that is not good is a `Fault` VA001. */
  convertManifest(code: string): Promise<AppSettings>;
  /** Asks a host whether it knows the platform by its settings. */
  checkHost(provider: GitProvider, states: HostStates): Promise<HostFinding>;
}

/** For the operator, whose proof is the token of the link that `lilac admin vcs setup` prints. */
export function setupHandlers(deps: SetupDeps): HandlersFor<'vcs-setup'> {
  const { config, log } = deps;
  /** The host is asked each time: what it once knew it may refuse by now. */
  const present = async (provider: GitProvider, states: HostStates) => {
    const state: HostState = states[provider];
    const configured = usableSettings(state) !== null;
    const finding = configured ? await deps.checkHost(provider, states) : null;
    return {
      configured,
      enabled: state.isEnabled,
      source: state.source,
      trouble: finding && !finding.isGood ? finding.found : state.trouble,
      clientId: state.settings?.clientId ?? null,
      ...hostAddresses(config, provider),
    };
  };
  return {
    'vcs-setup.show': async ({ body: { setupToken }, client: { address } }) => {
      await requireVcsSetupToken(deps, { setupToken, address });
      const states = await readHostStates(deps);
      const { manifest, postUrl } = manifestOf(deps);
      const [provider1, provider2, provider3] = await Promise.all([
        present('provider1', states),
        present('provider2', states),
        present('provider3', states),
      ]);
      return {
        provider1: {
          ...provider1,
          slug: states.provider1.settings?.slug ?? null,
          manifest: JSON.stringify(manifest),
          manifestUrl: postUrl,
        },
        provider2,
        provider3,
      };
    },
    'vcs-setup.begin': async ({ body: { setupToken }, client: { address }, response }) => {
      await requireVcsSetupToken(deps, { setupToken, address });
      // Goes to the host and comes back. Only the browser that began holds a cookie by its name: anybody can make an
      // address with a code of their own.
      const state = newToken();
      response.setJourneyCookie(state, setupToken);
      return { state };
    },
    // Whether the link is still good is for whatever is done with its token to ask.
    'vcs-setup.resume': ({ body: { state }, client: { journeyCookies }, response }) => {
      const [setupToken] = journeyCookies(state);
      if (setupToken === undefined)
        throw new Fault('CA002', 'This was begun in another browser. Open the set-up link here and begin again.');
      response.clearJourneyCookie(state);
      return { setupToken };
    },
    'vcs-setup.convert': async ({ body: { setupToken, code }, client: { address } }) => {
      await requireVcsSetupToken(deps, { setupToken, address });
      // Asked here too: the host gives what it made for a code only once.
      await requireSettingsInStore(deps, 'provider1');
      const settings = await deps.convertManifest(code);
      const before = (await readHostStates(deps)).provider1.settings?.slug ?? null;
      await saveHostSettings(deps, 'provider1', settings);
      log.info({ provider: 'provider1', slug: settings.slug }, 'A repository host was set up');
      // Not always with their knowledge: another journey may have ended while they were at the host.
      const replaced = before === null || before === settings.slug ? '' : ` It takes the place of ${before}.`;
      return { message: `The app ${settings.slug} is set up.${replaced}` };
    },
    'vcs-setup.save': async ({ body: { setupToken, provider, ...given }, client: { address } }) => {
      await requireVcsSetupToken(deps, { setupToken, address });
      const newSecret = provider === 'provider1' && given.webhookSecret === undefined ? newWebhookSecret() : null;
      await saveHostSettings(deps, provider, newSecret === null ? given : { ...given, webhookSecret: newSecret });
      log.info({ provider }, 'A repository host was set up');
      const toEnter =
        newSecret === null ? '' : ` Enter this webhook secret at the host, it is not shown again: ${newSecret}`;
      const { isGood: known, found } = await deps.checkHost(provider, await readHostStates(deps));
      return { message: `${provider} is set up.${toEnter}`, known, found };
    },
  };
}

/** The host sends the operator back to the page that began. */
function manifestOf({ config, appManifest }: Pick<SetupDeps, 'config' | 'appManifest'>) {
  return appManifest({
    ...hostAddresses(config, 'provider1'),
    hostUrl: config.vcsUrls.provider1,
    platformUrl: config.publicUrl,
    redirectUrl: new URL(SETUP_PAGE, config.publicUrl).href,
  });
}
