import type { ServerResponse } from 'node:http';
import type { IsStray } from './is-stray.ts';

/** Answers of Node's HTTP server that are under way, and by which name they were asked for. */
export class OpenAnswers {
  readonly #open = new Map<ServerResponse, { host: string; environmentId: string }>();

  note(response: ServerResponse, host: string, environmentId: string): void {
    this.#open.set(response, { host, environmentId });
    response.once('close', () => this.#open.delete(response));
  }

  endStrays(isStray: IsStray): void {
    for (const [response, { host, environmentId }] of this.#open) if (isStray(host, environmentId)) response.destroy();
  }
}
