import type { ServerResponse } from 'node:http';

/** Also where it has closed already: the client may have gone while it was being admitted. */
export function whenClosed(response: ServerResponse, act: () => void): void {
  if (response.closed || response.destroyed) act();
  else response.once('close', act);
}
