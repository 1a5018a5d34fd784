import { Octokit } from '@octokit/core';
import type { z } from 'zod';
import { HostRefusal } from '../connection/host-refusal.ts';
import { readAnswer, strangeAnswer } from '../connection/read-answer.ts';
import { ASKED_AS, type HostFetch } from '../host-fetch.ts';
import { HostUnavailable } from '../vcs-host.ts';

export const HOST_NAME = 'GitHub';

/** As in the API's documentation: `GET /repos/{owner}/{repo}`, with what stands in braces among the parameters. */
export interface Question<T> {
  route: string;
  parameters?: Record<string, unknown>;
  shape: z.ZodType<T>;
  signal?: AbortSignal;
}

/** Asks in one name: that of the app, of an installation, of a person, or nobody's. */
export type AskGithub = <T>(question: Question<T>) => Promise<Answered<T>>;

export interface Answered<T> {
  data: T;
  /** Where the other pages are. */
  link: string;
}

/** Octokit with the host's address and our fetch, whose patience and limits every request then has. */
export function octokitFor({ apiUrl, fetch }: { apiUrl: URL; fetch: HostFetch }): typeof Octokit {
  return Octokit.defaults({
    baseUrl: apiUrl.href.replace(/\/$/, ''),
    userAgent: 'lilac',
    request: { fetch },
    log: silence,
  });
}

/** What Octokit has to say of deprecations and retries would go to the console, past our log. */
export const silence = { debug: say, info: say, warn: say, error: say };
function say(): void {}

const VERSION = { 'x-github-api-version': '2022-11-28' };

/** `askedAs`: for whom the host counts it, where tokens and signatures change. */
export function askBy(octokit: Octokit, askedAs?: string): AskGithub {
  const own = { ...VERSION, ...(askedAs !== undefined && { [ASKED_AS]: askedAs }) };
  return async ({ route, parameters = {}, shape, signal }) => {
    try {
      const { data, headers } = await octokit.request(route, { ...parameters, headers: own, request: { signal } });
      return { data: readAnswer(data as unknown, { shape, hostName: HOST_NAME }), link: headers.link ?? '' };
    } catch (error) {
      signal?.throwIfAborted();
      throw asTold(error);
    }
  };
}

/**
 * Octokit's errors hold the whole request, also a body with a secret in it, and stand before the one that our fetch
 * threw. Only what the host said goes on.
 */
function asTold(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'HttpError') return error;
  if (error.cause instanceof HostUnavailable) return error.cause;
  const { status, response } = error as Error & { status: number; response?: { data: unknown } };
  // Octokit gives an answer that it cannot even read a status of 500, though the host did not. What is no JSON is not
  // the host's either, whose API says everything so: a proxy or a firewall stands before it.
  const isOfHost = status < 500 && typeof response?.data === 'object';
  return isOfHost ? new HostRefusal(status, error.message) : strangeAnswer(HOST_NAME);
}
