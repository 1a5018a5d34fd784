import { useCallback, useEffect, useRef, useState } from 'react';
import type { Loaded } from '../../lib/use-call.ts';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import {
  type ApplicationList,
  isAnyMoving,
  type ListedApplication,
  type listRequest,
  pageOfFolder,
} from './list-request.ts';
import { useLatestCall } from '../../lib/use-latest-call.ts';
import { useRetry } from '../../lib/use-retry.ts';
import { useWhileSeen } from '../../lib/use-while-seen.ts';

type Request = ReturnType<typeof listRequest>;

const MOVING_MS = 5000;
const SETTLED_MS = 20_000;
/** Folders are picked out here, from everything there is. */
const WHOLE_LIMIT = 100;
const MOST_PAGES = 20;

/** The list that the address asks for, renewed while somebody looks: often while something moves. */
export function useApplicationList(request: Request, folderId: string): Loaded<ApplicationList> {
  const targetOrganisationId = useMember().organisation.id;
  const [answer, setAnswer] = useState<{ data?: ApplicationList; error?: unknown }>({});
  const key = JSON.stringify({ ...request, folderId, targetOrganisationId });
  const asked = useRef(key);
  const latest = useLatestCall();
  const reload = useCallback(() => {
    // What somebody did a moment ago may ask again after the address has changed: it is the list of now that is wanted.
    const { folderId: folder, ...body } = JSON.parse(asked.current) as Request & Asked;
    latest.ask(
      folder === '' ? readPage(body) : readFolder(body, folder),
      (data) => setAnswer({ data }),
      (error) => setAnswer((before) => ({ data: before.data, error })),
    );
  }, [latest]);
  useEffect(() => {
    asked.current = key;
    reload();
  }, [key, reload]);
  const everyMs = isAnyMoving(answer.data?.items ?? []) ? MOVING_MS : SETTLED_MS;
  const askUnlessAsked = () => latest.isUnderWay() || reload();
  useWhileSeen(askUnlessAsked, everyMs);
  useRetry(answer.data === undefined ? answer.error : null, askUnlessAsked);
  return { ...answer, reload };
}

interface Asked {
  folderId: string;
  targetOrganisationId: string;
}

type Body = Omit<Request & Asked, 'folderId'>;

const readPage = (body: Body) => browserSession.call('applications.list', { body });

async function readFolder(body: Body, folderId: string): Promise<ApplicationList> {
  const items: ListedApplication[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, MOST_PAGES); page++) {
    const part = await readPage({ ...body, page, limit: WHOLE_LIMIT });
    items.push(...part.items);
    pages = part.totalPages;
  }
  return pageOfFolder(items, folderId, body.page);
}
