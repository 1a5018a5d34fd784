import { ApiError } from '@lilac/sdk';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { isConnectionFailure } from '../frame/lost-answer.ts';
import { endSession } from './end-session.ts';
import { StoredPlatforms } from './stored-platforms.ts';

export const logoutCommand: OwnCommand = {
  words: ['logout'],
  summary: 'Sign out at a platform',
  description: 'Ends the session and forgets it. --api-url says at which platform, where you are signed in at several.',
  endpoint: 'auth.logout',
  arguments: [],
  run: logout,
};

async function logout(run: CommandRun): Promise<null> {
  const { settings, platform, client, isJson, print, complain } = run;
  const { apiUrl } = platform;
  const platforms = new StoredPlatforms(settings.configFolder);
  const pair = await platforms.session(apiUrl).read();
  // First here: whatever the platform says, nobody is signed in on this machine any more.
  if (pair) await platforms.forget(apiUrl);
  const isRevoked = pair !== null && (await isEnded(endSession(client, pair)));
  if (isJson) await print(`${JSON.stringify({ apiUrl, wasSignedIn: pair !== null, isRevoked }, null, 2)}\n`);
  else await print(pair ? `You are signed out at ${apiUrl}.\n` : `Nobody was signed in at ${apiUrl}.\n`);
  if (pair && !isRevoked) {
    complain('The platform could not be told. The session is forgotten here; end it there under "Account".\n');
  }
  if (settings.token) complain('LILAC_TOKEN is set, and is still used.\n');
  return null;
}

async function isEnded(ending: Promise<void>): Promise<boolean> {
  try {
    await ending;
    return true;
  } catch (error) {
    if (error instanceof ApiError || isConnectionFailure(error)) return false;
    throw error;
  }
}
