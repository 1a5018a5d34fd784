import { useCallback, useEffect, useRef, useState } from 'react';
import type { Loaded } from '../../lib/use-call.ts';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { type ApplicationList, type listRequest, refreshMsOf } from './list-request.ts';
import { readFolder } from './read-folder.ts';
import { useLatestCall } from '../../lib/use-latest-call.ts';
import { useRetry } from '../../lib/use-retry.ts';
import { useWhileSeen } from '../../lib/use-while-seen.ts';

type Request = ReturnType<typeof listRequest>;

/** The list that the address asks for, renewed while somebody looks: often while something moves. */
export function useApplicationList(request: Request, folderId: string): Loaded<ApplicationList> {
  const targetOrganisationId = useMember().organisation.id;
  const [answer, setAnswer] = useState<{ data?: ApplicationList; error?: unknown; pagesRead: number }>({
    pagesRead: 1,
  });
  const key = JSON.stringify({ ...request, folderId, targetOrganisationId });
  const asked = useRef(key);
  const latest = useLatestCall();
  const reload = useCallback(() => {
    // What somebody did a moment ago may ask again after the address has changed: it is the list of now that is wanted.
    const { folderId: folder, ...body } = JSON.parse(asked.current) as Request & Asked;
    latest.ask(
      folder === ''
        ? readOnePage(body)
        : readFolder((part) => readPage({ ...body, ...part }), { folderId: folder, page: body.page }),
      ({ list: data, pagesRead }) => setAnswer({ data, pagesRead }),
      (error) => setAnswer(({ data, pagesRead }) => ({ data, pagesRead, error })),
    );
  }, [latest]);
  useEffect(() => {
    asked.current = key;
    reload();
  }, [key, reload]);
  const askUnlessAsked = () => latest.isUnderWay() || reload();
  useWhileSeen(askUnlessAsked, refreshMsOf(answer.data?.items ?? [], answer.pagesRead));
  useRetry(answer.data === undefined ? answer.error : null, askUnlessAsked);
  const { data, error } = answer;
  return { data, error, reload };
}

interface Asked {
  folderId: string;
  targetOrganisationId: string;
}

type Body = Omit<Request & Asked, 'folderId'>;

const readPage = (body: Body) => browserSession.call('applications.list', { body });

const readOnePage = async (body: Body) => ({ list: await readPage(body), pagesRead: 1 });
