import type { CommandRun } from '../frame/own-command.ts';
import { hasBrowser, openBrowser } from '../session/open-browser.ts';
import { plainText } from '../terminal/printable.ts';

export async function openEnvironment(run: CommandRun): Promise<null> {
  const { client, body, platform, environment, isJson, isTerminal, print, complain } = run;
  const {
    console: isConsole,
    browser,
    ...wanted
  } = body as { environmentId: string; console?: boolean; browser?: boolean };
  const found = await client.call('environments.get', { body: wanted });
  const url = isConsole ? `${platform.apiUrl}/environments/${found.id}` : found.url;
  const mayOpen = browser ?? (isTerminal && hasBrowser(environment));
  const isOpened = mayOpen && (await openBrowser(url, environment));
  await print(isJson ? `${JSON.stringify({ url, isOpened }, null, 2)}\n` : `${plainText(url)}\n`);
  if (browser && !isOpened) complain('No browser could be started.\n');
  return null;
}
