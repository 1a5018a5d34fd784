import type { RigDelivery } from './host-rig.ts';

export interface OutgoingDelivery {
  url: string;
  event: string;
  /** With the id and the signature, in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface DeliveryLog {
  readonly list: readonly RigDelivery[];
  send(delivery: OutgoingDelivery): Promise<void>;
  redeliver(index: number): Promise<number | null>;
}

/** As long as the slowest of the three hosts waits for an answer. */
const PATIENCE_MS = 10_000;

/** Sends webhooks as hosts do: once, whatever comes of it. */
export function createDeliveryLog(): DeliveryLog {
  const list: RigDelivery[] = [];
  const sent: OutgoingDelivery[] = [];
  const send = async (delivery: OutgoingDelivery): Promise<number | null> => {
    const record: RigDelivery = { ...delivery, status: null };
    list.push(record);
    sent.push(delivery);
    record.status = await post(delivery);
    return record.status;
  };
  return {
    list,
    async send(delivery) {
      await send(delivery);
    },
    async redeliver(index) {
      const delivery = sent[index];
      if (!delivery) throw new Error(`There was no delivery ${index}.`);
      return send(delivery);
    },
  };
}

async function post({ url, headers, body }: OutgoingDelivery): Promise<number | null> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body), signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}
