import { conflict, Fault } from '../../../lib/fault.ts';
import { HostUnavailable, type SignInHost } from '../../../vcs/vcs-host.ts';

export interface HostFinding {
  isGood: boolean;
  /** For people. */
  found: string;
}

export interface HostCheck {
  host: Pick<SignInHost, 'redeemCode'>;
  redirectUrl: string;
  /** The first host is asked for the app as well, by its key. */
  app?: { slug: string; read: () => Promise<{ name: string; slug: string }> };
}

/** No host ever gave it. One that knows the client says that the code is not good; else it refuses the client. */
const NO_CODE = 'lilac-admin-vcs-check';

/** Asks a host whether it knows the platform by its settings, as far as that can be told without a person. */
export async function checkHost({ host, redirectUrl, app }: HostCheck): Promise<HostFinding> {
  try {
    const name = app && (await checkApp(app));
    await checkClient(host, redirectUrl);
    return { isGood: true, found: name ? `knows the app "${name}" and its client` : 'knows the client' };
  } catch (error) {
    if (!(error instanceof Fault || error instanceof HostUnavailable)) throw error;
    return { isGood: false, found: error.message };
  }
}

async function checkApp({ slug, read }: NonNullable<HostCheck['app']>): Promise<string> {
  const found = await read();
  if (found.slug === slug) return found.name;
  throw conflict(
    `The slug is ${slug} here, and ${found.slug} at the host: nobody could install the app. Set it up with that slug.`,
  );
}

async function checkClient(host: HostCheck['host'], redirectUrl: string): Promise<void> {
  try {
    await host.redeemCode({ code: NO_CODE, redirectUrl });
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'VA001')) throw error;
  }
}
