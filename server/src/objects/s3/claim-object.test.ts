import type { S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { claimObject } from './claim-object.ts';
import { S3Failure } from './s3-failure.ts';

const KEY = 'uploads/upl_1';
const INCOMING = `incoming/${KEY}`;
const OBJECT = `objects/${KEY}`;

type Input = Record<string, string | undefined>;

/**
 * A store in which others write at the very moments that no real one lets a test choose: `before` is called ahead of
 * each command with its name. It holds to conditions as S3 does, and knows nothing where it is told so.
 */
function openStore({ before = () => {}, knowsConditions = true }: StoreOptions = {}) {
  const held = new Map<string, string>([[INCOMING, 'sent first']]);
  const asked: string[] = [];
  const copied = new Map<string, string>();
  const commands: Record<string, (input: Input) => object> = {
    HeadObjectCommand: ({ Key = '' }) => {
      const content = held.get(Key);
      if (content === undefined) throw failure('NotFound', 404);
      return { ContentLength: content.length, ETag: `"${content}"` };
    },
    CreateMultipartUploadCommand: () => ({ UploadId: 'upload' }),
    UploadPartCopyCommand: ({ CopySource = '', CopySourceIfMatch, UploadId = '' }) => {
      const content = held.get(CopySource.slice('bucket/'.length));
      if (content === undefined) throw failure('NoSuchKey', 404);
      if (CopySourceIfMatch !== undefined && CopySourceIfMatch !== `"${content}"`)
        throw failure('PreconditionFailed', 412);
      copied.set(UploadId, content);
      return { CopyPartResult: { ETag: 'part' } };
    },
    CompleteMultipartUploadCommand: ({ Key = '', UploadId = '', IfNoneMatch }) => {
      if (IfNoneMatch !== undefined && !knowsConditions) throw failure('NotImplemented', 501);
      if (IfNoneMatch === '*' && held.has(Key)) throw failure('PreconditionFailed', 412);
      held.set(Key, copied.get(UploadId)!);
      return {};
    },
    AbortMultipartUploadCommand: () => ({}),
    DeleteObjectCommand: ({ Key = '' }) => {
      held.delete(Key);
      return {};
    },
  };
  const send = (command: { constructor: { name: string }; input: Input }) => {
    const { name } = command.constructor;
    asked.push(name);
    before(name, held);
    return Promise.resolve().then(() => commands[name]!(command.input));
  };
  const client = { send } as unknown as S3Client;
  return {
    held,
    asked,
    claim: () =>
      claimObject(
        { client, publicClient: client, bucket: 'bucket', objectsPrefix: 'objects/', incomingPrefix: 'incoming/' },
        KEY,
      ),
  };
}

interface StoreOptions {
  before?: (command: string, held: Map<string, string>) => void;
  knowsConditions?: boolean;
}

function failure(name: string, status: number): S3Failure {
  return new S3Failure(name, { name, status, cause: null });
}

it('gives what came its name, and takes it from where it lay', async () => {
  const { held, claim } = openStore();
  expect(await claim()).toBe(true);
  expect([...held]).toEqual([[OBJECT, 'sent first']]);
});

it('copies nothing but what it has looked at: what was sent in between is looked at anew', async () => {
  let looks = 0;
  const { held, asked, claim } = openStore({
    before: (command, store) => {
      if (command === 'UploadPartCopyCommand' && looks++ === 0) store.set(INCOMING, 'sent later, and longer');
    },
  });
  expect(await claim()).toBe(true);
  expect(held.get(OBJECT)).toBe('sent later, and longer');
  expect(asked.filter((name) => name === 'AbortMultipartUploadCommand')).toHaveLength(1);
  expect(asked.filter((name) => name === 'UploadPartCopyCommand')).toHaveLength(2);
});

it('never writes over what another has claimed meanwhile', async () => {
  const { held, claim } = openStore({
    before: (command, store) => {
      if (command === 'CompleteMultipartUploadCommand') store.set(OBJECT, 'looked at already');
    },
  });
  expect(await claim()).toBe(true);
  expect([...held]).toEqual([[OBJECT, 'looked at already']]);
});

it('gives up where what is sent changes again and again', async () => {
  let sent = 0;
  const { held, claim } = openStore({
    before: (command, store) => {
      if (command === 'UploadPartCopyCommand') store.set(INCOMING, `sent ${++sent}`);
    },
  });
  await expect(claim()).rejects.toMatchObject({ status: 412 });
  expect(held.has(OBJECT)).toBe(false);
});

it('does without the condition where a store does not know it', async () => {
  const { held, claim } = openStore({ knowsConditions: false });
  expect(await claim()).toBe(true);
  expect([...held]).toEqual([[OBJECT, 'sent first']]);
});

it('says that nothing came', async () => {
  const { held, claim } = openStore();
  held.clear();
  expect(await claim()).toBe(false);
});
