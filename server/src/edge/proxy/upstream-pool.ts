import type { InstanceAddress } from '../../routing/route.ts';

/** The connections of this edge to one instance, kept open between requests. */
export class UpstreamPool {
  readonly address: InstanceAddress;

  constructor(address: InstanceAddress) {
    this.address = address;
  }

  /** It takes no new requests: idle connections are closed, tunnels are told. What is under way goes on. */
  retire(): void {}

  /** Closes everything. */
  close(): void {}
}
