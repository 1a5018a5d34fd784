/**
 * Where an exchange is:
 * - `waiting`: for a place at an instance, and for a connection to it.
 * - `asking`: the request is being sent, or was; no answer yet.
 * - `answering`: the answer's head is here.
 * - `tunnel`: after an upgrade.
 * - `rest`: it is answered, but the client still sends what nobody needs.
 */
export type ExchangePhase = 'over' | 'waiting' | 'asking' | 'answering' | 'tunnel' | 'rest';
