import { createClient, type Client } from '@lilac/contract/client';
import { createCredentials } from './credentials.ts';
import { RETRY_FOR_MS, type LilacOptions } from './lilac-options.ts';
import { createNamespaces, type Namespaces } from './namespaces.ts';
import { readItems, readPages, type Item, type Page, type PageArguments, type PageName } from './paging.ts';
import { createResilientClient } from './resilient-client.ts';
import type { CompletedUpload, Deployment, Environment } from './resources.ts';
import type { UploadOptions, UploadSource } from './upload-source.ts';
import { upload } from './upload.ts';
import { waitForDeployment } from './wait-for-deployment.ts';
import type { FollowDeploymentOptions, HealthTarget, WaitOptions } from './wait-options.ts';
import { waitUntilHealthy } from './wait-until-healthy.ts';

export { ApiError, type CallInput, type Client, type StreamEvent, type StreamName } from '@lilac/contract/client';
export type { EndpointName } from '@lilac/contract/endpoints';
export type { ErrorCode } from '@lilac/contract/errors';
export {
  DeploymentFailed,
  hasCode,
  isConflict,
  isForbidden,
  isInvalidInput,
  isNotFound,
  isRateLimited,
  isUnauthenticated,
  isUnavailable,
  SignedOut,
  WaitTimedOut,
} from './errors.ts';
export type { LilacOptions } from './lilac-options.ts';
export type { Namespaces } from './namespaces.ts';
export type { Item, Page, PageInput, PageName } from './paging.ts';
export type { Application, CompletedUpload, Database, Deployment, Environment, Output } from './resources.ts';
export { memorySession, type SessionStore, type TokenPair } from './session-store.ts';
export type { StreamedSource, UploadOptions, UploadSource } from './upload-source.ts';
export type { DeploymentProgress, FollowDeploymentOptions, HealthTarget, WaitOptions } from './wait-options.ts';

/** The platform's API. Works in Node (20 and later) and in browsers. */
export interface Lilac extends Client {
  /** Every endpoint as a method: `lilac.api.applications.list()` is `lilac.call('applications.list')`. */
  readonly api: Namespaces;
  /** Every page of an endpoint that answers page by page. */
  pages<Name extends PageName>(name: Name, ...input: PageArguments<Name>): AsyncIterable<Page<Name>>;
  /** Every item of it, over all pages. */
  items<Name extends PageName>(name: Name, ...input: PageArguments<Name>): AsyncIterable<Item<Name>>;
  /** Sends an archive (or a dump) and completes it; its `uploadId` can then be deployed. The bytes are streamed. */
  upload(source: UploadSource, options?: UploadOptions): Promise<CompletedUpload>;
  /** Resolves when the deployment has ended, whatever way; a restart of the platform does not matter. */
  waitForDeployment(deploymentId: string, options?: FollowDeploymentOptions): Promise<Deployment>;
  /** Throws `DeploymentFailed` when its last deployment failed, and `WaitTimedOut`. */
  waitUntilHealthy(target: HealthTarget, options?: WaitOptions): Promise<Environment>;
}

export function createLilac(options: LilacOptions): Lilac {
  const { baseUrl, fetch, headers, onAnswer, retryForMs = RETRY_FOR_MS } = options;
  assertBaseUrl(baseUrl);
  const plain = { baseUrl, ...(fetch && { fetch }), ...(headers && { headers }), ...(onAnswer && { onAnswer }) };
  const credentials = createCredentials({ ...options, anonymous: createClient(plain), retryForMs });
  const client = createResilientClient({ client: plain, credentials, retryForMs });
  const lilac: Lilac = {
    ...client,
    api: createNamespaces(client),
    pages: (name, ...[input]) => readPages(client, name, input),
    items: (name, ...[input]) => readItems(client, name, input),
    upload: (source, uploadOptions = {}) => upload({ client, fetch, retryForMs }, source, uploadOptions),
    waitForDeployment: (deploymentId, wait = {}) => waitForDeployment(lilac, deploymentId, wait),
    waitUntilHealthy: (target, wait = {}) => waitUntilHealthy(lilac, target, wait),
  };
  return lilac;
}

function assertBaseUrl(baseUrl: string): void {
  if (baseUrl === '' || /^https?:\/\/[^/?#]+\/?$/.test(baseUrl)) return;
  throw new TypeError(`baseUrl has to be an address as https://lilac.example.org, not ${JSON.stringify(baseUrl)}.`);
}
