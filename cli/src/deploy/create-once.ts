import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable, type CallInput, type Lilac } from '@lilac/sdk';
import { isCutOff } from '../frame/lost-answer.ts';

type Asked = Pick<Lilac, 'call' | 'items'>;
type Wanted = CallInput<'applications.create-from-upload'>['body'];

const LOOKS = 5;
const LOOK_MS = 2000;

/** Where the answer was lost the application may have been made all the same: then it is found, and gone on with. */
export async function createOnce(lilac: Asked, body: Wanted, lookMs = LOOK_MS): Promise<{ id: string; url: string }> {
  const before = await namesakes(lilac, body);
  try {
    return await lilac.call('applications.create-from-upload', { body });
  } catch (error) {
    if (!isCutOff(error) && !isUnavailable(error)) throw error;
    for (let looks = 0; looks < LOOKS; looks++) {
      const made = (await namesakes(lilac, body)).find(({ id }) => !before.some((each) => each.id === id));
      if (made) return made;
      await pause(lookMs);
    }
    throw error;
  }
}

async function namesakes(lilac: Asked, { targetOrganisationId, name }: Wanted): Promise<{ id: string; url: string }[]> {
  const found: { id: string; url: string }[] = [];
  for await (const each of lilac.items('applications.list', { body: { targetOrganisationId, filter: name } })) {
    if (each.name === name) found.push({ id: each.id, url: each.url });
  }
  return found;
}
