import { useEffect, useState } from 'react';
import type { OrganisationChoice } from '../lib/api-types.ts';
import { hasCode } from '../lib/has-code.ts';
import { matchPath } from '../lib/match-path.ts';
import { browserSession } from '../session/browser-session.ts';
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
    let isOver = false;
    const [here, ...elsewhere] = JSON.parse(candidates) as string[];
    const addressed = addressedBy(JSON.parse(params) as Record<string, string>);
    if (!addressed || !here || elsewhere.length === 0) return undefined;
    const follow = async () => {
      const owner = await findOwner(addressed, [here, ...elsewhere]);
      const to = organisations.find(({ id }) => id === owner);
      if (isOver || !to || owner === here) return;
      setMoved({ thing: params, to });
      chooseOrganisation(to.id);
    };
    void follow();
    return () => {
      isOver = true;
    };
    // The names of organisations may change; which they are is in the candidates.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [params, candidates]);
  return moved?.thing === params && moved.to.id === organisation?.id ? moved.to : null;
}

type Question = (targetOrganisationId: string) => Promise<unknown>;

function addressedBy({ applicationId, environmentId, deploymentId, databaseId }: Record<string, string>) {
  const questions: (Question | null | '' | undefined)[] = [
    applicationId &&
      ((id) => browserSession.call('applications.get', { body: { targetOrganisationId: id, applicationId } })),
    environmentId &&
      ((id) => browserSession.call('environments.get', { body: { targetOrganisationId: id, environmentId } })),
    deploymentId &&
      ((id) => browserSession.call('deployments.get', { body: { targetOrganisationId: id, deploymentId } })),
    databaseId && ((id) => browserSession.call('databases.get', { body: { targetOrganisationId: id, databaseId } })),
  ];
  return questions.find((question) => typeof question === 'function') ?? null;
}

/** Null when it is nowhere, or when that cannot be told just now. */
async function findOwner(ask: Question, organisationIds: readonly string[]): Promise<string | null> {
  for (const id of organisationIds) {
    try {
      await ask(id);
      return id;
    } catch (error) {
      if (!hasCode(error, 'NF001')) return null;
    }
  }
  return null;
}
