import type { ConnectionRig } from '../../../server/src/vcs/testing/connection-rig.ts';
import type { RigLogin } from '../../../server/src/vcs/testing/host-rig.ts';
import type { Account } from '../../acknowledged-writes.ts';
import type { Deployer } from '../../deploying.ts';
import { type Platform, until } from '../../platform.ts';

/** What a platform has to be started with to know the host. */
export const gitlabSettings = ({ url, apiUrl }: ConnectionRig) => ({
  LILAC_PROVIDER2_URL: url,
  LILAC_PROVIDER2_API_URL: apiUrl,
});

/** The link to the operator's page of repository hosts. It ends those that were made before. */
export async function vcsSetupLink(platform: Platform): Promise<string> {
  const { exitCode, stdout, stderr } = await platform.lilac('admin', 'vcs', 'setup', '--json');
  if (exitCode !== 0) throw new Error(stdout + stderr);
  return (JSON.parse(stdout) as { url: string }).url;
}

/** Makes the platform known to the host, as that page does. Answers the page's link. */
export async function setUpGitlab(platform: Platform, { settings }: ConnectionRig): Promise<string> {
  const link = await vcsSetupLink(platform);
  const { clientId, clientSecret } = settings;
  const answer = await fetch(`${platform.url}/api/vcs-setup/save`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ setupToken: new URL(link).hash.slice(1), provider: 'provider2', clientId, clientSecret }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return link;
}

interface Linking {
  platform: Platform;
  rig: ConnectionRig;
  account: Account;
  login: RigLogin;
}

/** What was begun elsewhere than in the browser: where the host sends the person, who is then asked about it. */
export async function beginLinking({ platform, rig, account, login }: Linking): Promise<string> {
  const begin = () =>
    fetch(`${platform.url}/api/provider2/connect?organisationId=${account.organisationId}`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
  await until('the api has seen that the host is set up', async () => (await begin()).status === 200);
  const { url } = (await (await begin()).json()) as { url: string };
  return await rig.signIn(url, { login });
}

/** The same to its end, without a browser. */
export async function linkAccount(linking: Linking, { client }: Deployer): Promise<void> {
  const answer = await fetch(await beginLinking(linking), { redirect: 'manual' });
  const attempt = new URL(answer.headers.get('location') ?? '', linking.platform.url).hash.slice(1);
  await client.call('vcs-app.confirm', { body: { attempt, confirm: true } });
}
