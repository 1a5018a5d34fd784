import { useEffect, useState } from 'react';
import type { OrganisationChoice } from '../lib/api-types.ts';
import { matchPath } from '../lib/match-path.ts';
import { missingThings } from '../lib/missing-things.ts';
import { browserSession } from '../session/browser-session.ts';
import { lookElsewhere, type Question, type Thing, thingAt } from './look-elsewhere.ts';
import { chooseOrganisation } from './organisation-choice.ts';

interface Place {
  path: string;
  organisation: OrganisationChoice | null;
  organisations: readonly OrganisationChoice[];
}

/** A link may lead to something of another of the person's organisations: that is chosen then, and answered. */
export function useFindOrganisation({ path, organisation, organisations }: Place): OrganisationChoice | null {
  const [moved, setMoved] = useState<{ thing: string; to: OrganisationChoice } | null>(null);
  const params = JSON.stringify(matchPath(path)?.params ?? {});
  const others = organisations.filter(({ id }) => id !== organisation?.id).map(({ id }) => id);
  const candidates = JSON.stringify(organisation ? [organisation.id, ...others] : []);
  useEffect(() => {
    const [here, ...elsewhere] = JSON.parse(candidates) as string[];
    const thing = thingAt(JSON.parse(params) as Record<string, string>);
    if (!thing || !here || elsewhere.length === 0) return undefined;
    const onFound = (owner: string) => {
      setMoved({ thing: params, to: organisations.find(({ id }) => id === owner)! });
      chooseOrganisation(owner);
    };
    return lookElsewhere({ thing, here, elsewhere, missing: missingThings, ask, onFound });
    // The names of organisations may change; which they are is in the candidates.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [params, candidates]);
  return moved?.thing === params && moved.to.id === organisation?.id ? moved.to : null;
}

function ask(name: Thing['name'], question: Question): Promise<unknown> {
  const given = [name, question] as unknown;
  return browserSession.call(...(given as Parameters<typeof browserSession.call<Thing['name']>>));
}
