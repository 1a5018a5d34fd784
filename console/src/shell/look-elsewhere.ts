import { hasCode } from '../lib/has-code.ts';
import type { MissingThings } from '../lib/missing-things.ts';

/** What the page of an address asks for, whichever organisation it is of. */
export interface Thing {
  name: 'applications.get' | 'environments.get' | 'deployments.get' | 'databases.get';
  idName: string;
  id: string;
}

/** As pages ask, of one organisation. */
export interface Question {
  body: Readonly<Record<string, string>>;
  signal: AbortSignal;
  onHeaders: () => void;
}

interface Search {
  thing: Thing;
  here: string;
  elsewhere: readonly string[];
  missing: Pick<MissingThings, 'subscribe'>;
  ask: (name: Thing['name'], question: Question) => Promise<unknown>;
  onFound: (organisationId: string) => void;
}

const names: Readonly<Record<string, Thing['name']>> = {
  applicationId: 'applications.get',
  environmentId: 'environments.get',
  deploymentId: 'deployments.get',
  databaseId: 'databases.get',
};

export function thingAt(params: Readonly<Record<string, string>>): Thing | null {
  const idName = Object.keys(names).find((name) => params[name]);
  return idName === undefined ? null : { name: names[idName]!, idName, id: params[idName]! };
}

/** Once the page has heard that a thing is not of the organisation here, asks the others, once. Answers how to stop. */
export function lookElsewhere({ thing, here, elsewhere, missing, ask, onFound }: Search): () => void {
  let isOver = false;
  const look = async () => {
    const owner = await findOwner(thing, elsewhere, ask);
    if (owner !== null && !isOver) onFound(owner);
  };
  const unsubscribe = missing.subscribe((name, body) => {
    if (name !== thing.name || body['targetOrganisationId'] !== here || body[thing.idName] !== thing.id) return;
    unsubscribe();
    void look();
  });
  return () => {
    isOver = true;
    unsubscribe();
  };
}

/** Null when it is nowhere, or when that cannot be told just now. */
async function findOwner(thing: Thing, ids: readonly string[], ask: Search['ask']): Promise<string | null> {
  for (const id of ids) {
    try {
      if (await isOf(thing, id, ask)) return id;
    } catch {
      return null;
    }
  }
  return null;
}

/** That there is an answer is enough: what it says, a log and all, is for the page to read. */
async function isOf({ name, idName, id }: Thing, targetOrganisationId: string, ask: Search['ask']): Promise<boolean> {
  const reading = new AbortController();
  const onHeaders = () => reading.abort();
  try {
    await ask(name, { body: { targetOrganisationId, [idName]: id }, signal: reading.signal, onHeaders });
    return true;
  } catch (error) {
    if (reading.signal.aborted) return true;
    if (hasCode(error, 'NF001')) return false;
    throw error;
  }
}
