import { z } from 'zod';
import type { Config } from '../../config.ts';
import { Fault } from '../../lib/fault.ts';
import { HostRefusal } from '../connection/host-refusal.ts';
import { strangeAnswer } from '../connection/read-answer.ts';
import type { HostFetch } from '../host-fetch.ts';
import type { AppSettings } from '../vcs-host.ts';
import { askBy, HOST_NAME, octokitFor } from './github-api.ts';

const converted = z.object({
  id: z.int(),
  slug: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  pem: z.string(),
  webhook_secret: z.string().nullable(),
});

/** What the host has made of the manifest. It tells so once, within an hour, to whoever has the code. */
export async function convertManifest(
  { config, fetch }: { config: Pick<Config, 'vcsApiUrls'>; fetch: HostFetch },
  code: string,
): Promise<AppSettings> {
  const Client = octokitFor({ apiUrl: config.vcsApiUrls.provider1, fetch });
  const ask = askBy(new Client());
  const asking = ask({ route: 'POST /app-manifests/{code}/conversions', parameters: { code }, shape: converted });
  const { data } = await asking.catch((error: unknown) => {
    throw error instanceof HostRefusal ? badCode(error) : error;
  });
  const { id, slug, client_id, client_secret, pem, webhook_secret } = data;
  // Our manifest has a webhook, so there is a secret for it.
  if (!webhook_secret) throw strangeAnswer(HOST_NAME);
  return {
    appId: id,
    slug,
    clientId: client_id,
    clientSecret: client_secret,
    privateKey: pem,
    webhookSecret: webhook_secret,
  };
}

const badCode = (cause: HostRefusal): Fault =>
  new Fault('VA001', 'GitHub does not accept this code: it was used before, or is older than an hour. Begin again.', {
    cause,
  });
