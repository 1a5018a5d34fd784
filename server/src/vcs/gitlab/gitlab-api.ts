import { Branches, Commits, ProjectHooks, Projects, Users } from '@gitbeaker/rest';
import { refusalOf } from '../connection/host-refusal.ts';
import { strangeAnswer } from '../connection/read-answer.ts';
import type { HostFetch } from '../host-fetch.ts';
import type { CallOptions, HostAccess } from '../vcs-host.ts';

export interface GitlabApi {
  projects: Projects;
  branches: Branches;
  commits: Commits;
  hooks: ProjectHooks;
  users: Users;
}

export type AskGitlab = (access: HostAccess, options?: CallOptions) => GitlabApi;

/** Gitbeaker knows GitLab's API; every request of it goes by our fetch, with its patience and its limits. */
export function createGitlabApi({ apiUrl, fetch }: { apiUrl: URL; fetch: HostFetch }): AskGitlab {
  return (access, { signal } = {}) => {
    const resource = {
      // Gitbeaker puts this before its paths; the requester puts what is configured there instead.
      host: '',
      queryTimeout: null,
      requesterFn: requester({ apiUrl, fetch, access, signal }),
    };
    return {
      projects: new Projects(resource),
      branches: new Branches(resource),
      commits: new Commits(resource),
      hooks: new ProjectHooks(resource),
      users: new Users(resource),
    };
  };
}

type MakeRequester = NonNullable<NonNullable<ConstructorParameters<typeof Projects>[0]>['requesterFn']>;
type Requester = ReturnType<MakeRequester>;
type RequestOptions = NonNullable<Parameters<Requester['get']>[1]>;

interface Asking {
  apiUrl: URL;
  fetch: HostFetch;
  access: HostAccess;
  signal: AbortSignal | undefined;
}

const GITBEAKERS_BASE = /^\/api\/v4\/*/;
/** Nobody has so many; a host that never ends is broken. */
const MOST_PAGES = 1000;

function requester(asking: Asking): MakeRequester {
  let requests = 0;
  return ({ url: base }) => {
    const by = (method: string): Requester['get'] => {
      const send = async (endpoint: string, options: RequestOptions = {}): Promise<Answer> => {
        requests += 1;
        if (requests > MOST_PAGES) throw strangeAnswer('GitLab');
        const path = [base.replace(GITBEAKERS_BASE, ''), endpoint].filter(Boolean).join('/');
        return request(asking, { method, path, options });
      };
      return send as Requester['get'];
    };
    return { get: by('GET'), post: by('POST'), put: by('PUT'), patch: by('PATCH'), delete: by('DELETE') };
  };
}

interface Answer {
  body: unknown;
  headers: Record<string, string>;
  status: number;
}

async function request(
  { apiUrl, fetch, access, signal }: Asking,
  { method, path, options }: { method: string; path: string; options: RequestOptions },
): Promise<Answer> {
  const url = new URL(`${apiUrl.href.replace(/\/$/, '')}/${path}`);
  for (const [key, value] of fieldsOf(options.searchParams)) url.searchParams.set(key, String(value));
  const fields = fieldsOf(options.body);
  const body = fields.length > 0 ? JSON.stringify(Object.fromEntries(fields)) : undefined;
  const response = await fetch(url.href, {
    method,
    headers: {
      accept: 'application/json',
      ...(access.kind === 'person' && { authorization: `Bearer ${access.accessToken}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body,
    signal,
  });
  if (!response.ok) throw await refusalOf(response, 'GitLab');
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response.status === 204 ? null : await readJson(response),
  };
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw strangeAnswer('GitLab', error);
  }
}

type Scalar = string | number | boolean;

/** By GitLab's names for them; gitbeaker has its own. */
function fieldsOf(given: object = {}): [string, Scalar][] {
  const fields = Object.entries(given as Record<string, Scalar | undefined>);
  return fields.flatMap(([key, value]) => (value === undefined ? [] : [[snakeCase(key), value]]));
}

const snakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
