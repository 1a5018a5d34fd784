import { hostname, type } from 'node:os';
import { createLilac, type Lilac } from '@lilac/sdk';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { type Flag, switchFlag } from '../frame/flag.ts';
import { GaveUp } from '../frame/gave-up.ts';
import { UsageError } from '../frame/usage-error.ts';
import { canAsk, confirm } from '../terminal/ask.ts';
import { plainText } from '../terminal/printable.ts';
import { requestDeviceCode, waitForApproval, type DeviceCode } from './device-sign-in.ts';
import { endSession } from './end-session.ts';
import { hasBrowser, openBrowser } from './open-browser.ts';
import { readAddress } from './read-address.ts';
import { StoredPlatforms } from './stored-platforms.ts';

const usual = { part: 'body', isRequired: false, isNullable: false, choices: [] } as const;

const flags: readonly Flag[] = [
  {
    ...usual,
    key: 'address',
    name: 'address',
    kind: 'text',
    isPositional: true,
    description:
      'where the platform is, such as https://lilac.example.org; the one that other commands use when left out, which is asked about where only lilac.json names it',
  },
  switchFlag('browser', 'only print the address of the page', { default: true }),
];

export const loginCommand: OwnCommand = {
  words: ['login'],
  summary: 'Sign in at a platform',
  description:
    'Shows a code and opens the page where you approve it; any device with a browser will do for that. The session ' +
    'is kept for you in ~/.config/lilac (or $XDG_CONFIG_HOME/lilac) and stays until "lilac logout". For programs ' +
    'there are API keys, in LILAC_TOKEN.',
  endpoint: 'auth.device.code',
  arguments: [],
  flags,
  run: login,
};

async function login(run: CommandRun): Promise<null> {
  const { settings, complain, signal } = run;
  const apiUrl = await chooseAddress(run);
  const headers = { 'x-client-type': 'cli', 'user-agent': userAgent() };
  const { onAnswer } = run;
  const anybody = createLilac({ baseUrl: apiUrl, headers, retryForMs: 0, onAnswer });
  const platforms = new StoredPlatforms(settings.configFolder);
  complain(`Signing in at ${apiUrl}\n`);
  if (isOpen(apiUrl)) complain(`Note: ${apiUrl} is not encrypted; others on the way can read what is sent.\n`);
  const code = await requestDeviceCode(anybody, signal);
  await assertSamePlatform(run, { apiUrl, code });
  await showCode(run, code);
  const pair = await waitForApproval({ apiUrl, code, signal });
  const replaced = await platforms.signIn(apiUrl, pair);
  if (replaced) await endSession(anybody, replaced).catch(() => {});
  await greet(run, { apiUrl, lilac: createLilac({ baseUrl: apiUrl, token: pair.token, onAnswer }) });
  return null;
}

/** Whoever wrote lilac.json must not get to choose where somebody signs in without their seeing it. */
async function chooseAddress(run: CommandRun): Promise<string> {
  const { body, platform, settings, link } = run;
  if (body.address !== undefined) return addressOf(body.address as string);
  const { apiUrl, from } = platform;
  const isKnown = apiUrl === settings.localUrl || new StoredPlatforms(settings.configFolder).knows(apiUrl);
  if (from !== 'link' || isKnown) return apiUrl;
  const problem = `Only ${plainText(link!.file)} says that the platform is at ${apiUrl}.`;
  const way = `If that is right: lilac login ${apiUrl}`;
  if (!canAsk(run)) throw new UsageError(`${problem} ${way}`);
  if (await confirm(run, `${problem} Sign in there?`)) return apiUrl;
  throw new GaveUp(`Nobody was signed in. ${way}`);
}

/**
 * A platform may be known to browsers by another address than it is reached at here; but one that shows the page of
 * another platform would be given what is approved there.
 */
async function assertSamePlatform(run: CommandRun, { apiUrl, code }: { apiUrl: string; code: DeviceCode }) {
  const page = URL.parse(code.verification_uri_complete)?.origin ?? 'no address';
  if (page === apiUrl || isLoopback(apiUrl)) return;
  run.complain(`Note: you sign in at ${apiUrl}, and the page to approve it is at ${plainText(page)}.\n`);
  run.complain('Whoever runs the first gets in as you: go on only where both are the same platform.\n');
  if (canAsk(run) && !(await confirm(run, 'Are they?'))) throw new GaveUp('Nobody was signed in.');
}

/** So that who approves it sees which machine asks. */
function userAgent(): string {
  const host = hostname().replaceAll(/[^\w.-]/g, '');
  return `lilac (${type()}; ${host})`;
}

/** People leave out what goes without saying. */
function addressOf(text: string): string {
  if (/^https?:\/\//i.test(text)) return readAddress(text, 'The address');
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(text);
  return readAddress(`${isLocal ? 'http' : 'https'}://${text}`, 'The address');
}

const isLoopback = (apiUrl: string) => /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/.test(apiUrl);
const isOpen = (apiUrl: string) => apiUrl.startsWith('http:') && !isLoopback(apiUrl);

async function showCode({ body, environment, input, complain }: CommandRun, code: DeviceCode): Promise<void> {
  complain(`Your code:  ${plainText(code.user_code)}\n`);
  const mayOpen = body.browser !== false && input.isTerminal && hasBrowser(environment);
  const isOpened = mayOpen && (await openBrowser(code.verification_uri_complete, environment));
  const where = plainText(code.verification_uri_complete);
  complain(isOpened ? `Approve it in the browser; should none open:  ${where}\n` : `Approve it at:  ${where}\n`);
  complain('Waiting …\n');
}

async function greet(run: CommandRun, { apiUrl, lilac }: { apiUrl: string; lilac: Lilac }): Promise<void> {
  const { isJson, print, complain, settings } = run;
  const { organisations, ...person } = await lilac.call('auth.profile');
  if (isJson) return void (await print(`${JSON.stringify({ apiUrl, ...person, organisations }, null, 2)}\n`));
  await print(`You are signed in at ${apiUrl} as ${plainText(person.first_name)} (${plainText(person.email)}).\n`);
  if (organisations.length === 0) complain('You belong to no organisation; "lilac orgs create <name>" makes one.\n');
  const isChosen = new StoredPlatforms(settings.configFolder).organisation(apiUrl) !== null;
  if (organisations.length > 1 && !isChosen) {
    complain('You belong to several organisations: choose one with "lilac orgs use <name>".\n');
  }
  if (settings.token) complain('LILAC_TOKEN is set, and counts more than this session: unset it to use the session.\n');
}
