import { randomUUID } from 'node:crypto';
import type { RigLogin } from '../../testing/host-rig.ts';
import { rigLogins } from '../../testing/rig-people.ts';
import { rigAccounts } from './emulated-github.ts';
import type { GithubWorld } from './github-rest.ts';
import { found, notFound, sendTo, type RigAnswer } from './rig-answers.ts';
import { roleAt, type RigInstallation } from './rig-installations.ts';
import type { RigSignIn } from './rig-people-tokens.ts';

export interface PageCall {
  world: GithubWorld;
  signIn: RigSignIn;
  method: string;
  url: URL;
  body: Buffer;
  /** Where the app has people sent back to; null: wherever they are asked to be sent. */
  callbackUrl: string | null;
  install: (account: string) => RigInstallation;
  takeOver: (manifest: RigManifest) => void;
}

export interface RigManifest {
  redirect_url: string;
  callback_urls: string[];
  hook_attributes: { url: string };
}

/** In place of forms: who somebody is, and which account they choose, stands in the address. */
export const LOGIN = 'rig_login';
export const ACCOUNT = 'rig_account';

/** What people see of the host in their browsers. Null: it is no such page. */
export async function answerPage(call: PageCall): Promise<RigAnswer | null> {
  const { method, url, world } = call;
  const { slug } = world.github.settings;
  const asked = `${method} ${url.pathname}`;
  if (asked === 'GET /login/oauth/authorize') return authorize(call);
  if (asked === 'POST /login/oauth/access_token') {
    return found(await call.signIn.grant(new URLSearchParams(call.body.toString())));
  }
  if ([`GET /apps/${slug}/installations/new`, `GET /github-apps/${slug}/installations/new`].includes(asked)) {
    return install(call);
  }
  return asked === 'POST /settings/apps/new' ? makeApp(call) : null;
}

const loginOf = ({ url }: PageCall): RigLogin | null =>
  rigLogins.find((login) => login === url.searchParams.get(LOGIN)) ?? null;

async function authorize(call: PageCall): Promise<RigAnswer> {
  const { url, world, callbackUrl } = call;
  const redirectUrl = url.searchParams.get('redirect_uri') ?? callbackUrl;
  const isKnown = url.searchParams.get('client_id') === world.github.settings.clientId;
  if (!isKnown || !redirectUrl) return notFound;
  if (callbackUrl !== null && !redirectUrl.startsWith(callbackUrl)) {
    return found('The redirect_uri is not associated with this application.');
  }
  const login = loginOf(call);
  if (!login)
    return chooser(
      url,
      rigLogins.map((each) => ({ [LOGIN]: each })),
    );
  return sendBack(call, redirectUrl, { login });
}

async function install(call: PageCall): Promise<RigAnswer> {
  const { url, world, callbackUrl } = call;
  const login = loginOf(call);
  const account = url.searchParams.get(ACCOUNT);
  if (!login || !account) {
    const choices = rigLogins.flatMap((each) =>
      rigAccounts.filter((one) => roleAt(one, each)).map((one) => ({ [LOGIN]: each, [ACCOUNT]: one })),
    );
    return chooser(url, choices);
  }
  if (!roleAt(account, login) || callbackUrl === null) return notFound;
  if (roleAt(account, login) !== 'owner') return sendBack(call, callbackUrl, { login, setup_action: 'request' });
  const known = world.installations.at(account);
  const { id } = known ?? call.install(account);
  const setup_action = known ? 'update' : 'install';
  return sendBack(call, callbackUrl, { login, setup_action, installation_id: String(id) });
}

/** The app asks people who they are whenever they install it, so that a code comes with everything. */
async function sendBack(
  { url, signIn }: PageCall,
  redirectUrl: string,
  { login, ...told }: { login: RigLogin } & Record<string, string>,
): Promise<RigAnswer> {
  const state = url.searchParams.get('state') ?? '';
  const back = new URL(redirectUrl);
  back.searchParams.set('code', await signIn.codeFor(login, { redirectUrl, state }));
  for (const [name, value] of Object.entries(told)) back.searchParams.set(name, value);
  if (state) back.searchParams.set('state', state);
  return sendTo(back.href);
}

/** For browsers: each choice is a link. */
function chooser(url: URL, choices: Record<string, string>[]): RigAnswer {
  const links = choices.map((choice) => {
    const there = new URL(url);
    for (const [name, value] of Object.entries(choice)) there.searchParams.set(name, value);
    const label = Object.values(choice).join(' for ');
    return `<li><a href="${(there.pathname + there.search).replaceAll('&', '&amp;')}">Continue as ${label}</a></li>`;
  });
  return found(`<!doctype html><title>Repository host</title><ul>${links.join('')}</ul>`);
}

function makeApp({ url, body, world, takeOver }: PageCall): RigAnswer {
  const manifest = JSON.parse(new URLSearchParams(body.toString()).get('manifest') ?? '{}') as RigManifest;
  const code = randomUUID();
  world.conversions.set(code, world.github.settings);
  takeOver(manifest);
  const back = new URL(manifest.redirect_url);
  back.searchParams.set('code', code);
  const state = url.searchParams.get('state');
  if (state) back.searchParams.set('state', state);
  return sendTo(back.href);
}
