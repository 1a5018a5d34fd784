import { ApiError, type CallInput } from '@lilac/contract/client';
import type { EndpointName } from '@lilac/contract/endpoints';
import { useCallback, useEffect, useRef, useState } from 'react';
import { browserSession } from '../session/browser-session.ts';
import { useOnReturn } from '../session/use-reach.ts';
import { useOnAnswerLost } from '../session/use-session.ts';
import type { OutputOf } from './api-types.ts';
import { hasCode } from './has-code.ts';
import { missingThings } from './missing-things.ts';
import { useLatestCall } from './use-latest-call.ts';
import { useRetry } from './use-retry.ts';
import { useWhileSeen } from './use-while-seen.ts';

export interface Loaded<T> {
  data?: T;
  error?: unknown;
  /** Nothing was answered yet to what is asked now: what is there is the answer to another question. */
  isBehind?: boolean;
  /** Of the answer, for what it says of itself besides. */
  headers?: Headers;
  reload: () => void;
}

interface CallOptions<T> {
  /**
   * Asks again so often while somebody looks; what was answered stays until the next answer. Null: once. What was
   * answered may say how often.
   */
  refreshMs?: number | null | ((answered: T | undefined) => number | null);
}

interface Answer<T> extends Omit<Loaded<T>, 'reload' | 'isBehind'> {
  /** The input that it was given. */
  to?: string;
}

/** Calls an endpoint when the page is shown, and again when the input changes. A null input asks nothing. */
export function useCall<Name extends EndpointName>(
  name: Name,
  input: CallInput<Name> | null,
  { refreshMs: wished = null }: CallOptions<OutputOf<Name>> = {},
): Loaded<OutputOf<Name>> {
  const [{ to: answeredKey, ...answer }, setAnswer] = useState<Answer<OutputOf<Name>>>({});
  const refreshMs = typeof wished === 'function' ? wished(answer.data) : wished;
  const key = JSON.stringify(input);
  const asked = useRef({ name, key });
  const latest = useLatestCall();
  /** Asks what is wanted now, whoever kept it and since when. */
  const reload = useCallback(() => {
    const to = asked.current.key;
    if (to === 'null') return latest.forget();
    let headers: Headers | undefined;
    const onHeaders = (told: Headers) => (headers = told);
    const askedName = asked.current.name;
    const given = JSON.parse(to) as { body?: Record<string, unknown> };
    const call = [askedName, { ...given, onHeaders }] as unknown;
    latest.ask(
      browserSession.call<Name>(...(call as Parameters<typeof browserSession.call<Name>>)),
      (data) => setAnswer({ to, data, headers }),
      // A failed look for news leaves what is there, unless that is the answer to another question.
      (error) => {
        if (hasCode(error, 'NF001')) missingThings.tell(askedName, given.body ?? {});
        setAnswer((before) => (before.to === to ? { ...before, error } : { to, error }));
      },
    );
  }, [latest]);
  useEffect(() => {
    asked.current = { name, key };
    reload();
  }, [name, key, reload]);
  const askUnlessAsked = () => latest.isUnderWay() || reload();
  useWhileSeen(askUnlessAsked, refreshMs);
  // What looks for news anyway can wait for that, unless there is nothing to look at.
  useRetry(refreshMs === null || answer.data === undefined ? answer.error : null, askUnlessAsked);
  // What nobody answered is asked again; and so is what looks for news, whose last question may never be answered.
  useOnReturn(() => {
    if (refreshMs !== null || isUnanswered(answer.error)) reload();
  });
  // What may have been done is looked for.
  useOnAnswerLost(reload);
  return { ...answer, isBehind: input !== null && answeredKey !== key, reload };
}

/** The platform has said nothing, not even no. */
export function isUnanswered(error: unknown): boolean {
  return error !== undefined && !(error instanceof ApiError);
}
