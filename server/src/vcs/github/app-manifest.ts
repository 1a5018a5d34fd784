import { below } from './sign-in.ts';

export interface ManifestAddresses {
  /** Of the repository host. */
  hostUrl: URL;
  /** Where people find the platform. */
  platformUrl: URL;
  callbackUrl: string;
  webhookUrl: string;
  /** Where the host sends the operator's browser once it has made the app. */
  redirectUrl: string;
}

export interface AppManifest {
  manifest: object;
  /** Where a form with the manifest in a field of that name is posted to. */
  postUrl: string;
}

/** Names of apps are taken once in the whole host. */
const LONGEST_NAME = 34;

/**
 * What the first host makes an app of. People are asked who they are while they install: with that the host itself
 * says what they administer. A set-up address of its own has no place beside that. What becomes of installations is
 * told to every app, unasked.
 */
export function appManifest(addresses: ManifestAddresses): AppManifest {
  const { platformUrl, callbackUrl, webhookUrl, redirectUrl } = addresses;
  return {
    postUrl: below(addresses.hostUrl, 'settings/apps/new').href,
    manifest: {
      name: `Lilac ${platformUrl.hostname}`.slice(0, LONGEST_NAME).replace(/[^a-z\d]+$/i, ''),
      url: platformUrl.href,
      description: 'Deploys repositories to Lilac.',
      hook_attributes: { url: webhookUrl, active: true },
      redirect_url: redirectUrl,
      callback_urls: [callbackUrl],
      request_oauth_on_install: true,
      public: true,
      default_permissions: { contents: 'read', metadata: 'read', statuses: 'write', members: 'read' },
      default_events: ['push'],
    },
  };
}
