import type { CallInput, Client, StreamName } from '@lilac/contract/client';
import { endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import type { Output } from './resources.ts';

type CallName = Exclude<EndpointName, StreamName>;

type Arguments<Name extends CallName> =
  object extends CallInput<Name> ? [input?: CallInput<Name>] : [input: CallInput<Name>];

type Camel<Text extends string> = Text extends `${infer Head}${'-' | '.'}${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

type SpaceOf<Name extends string> = Name extends `${infer Head}.${string}` ? Camel<Head> : never;
type MethodOf<Name extends string> = Name extends `${string}.${infer Rest}` ? Camel<Rest> : never;

/** Every endpoint as a method: `applications.detect-framework` is `api.applications.detectFramework`. */
export type Namespaces = {
  [Space in SpaceOf<CallName>]: {
    [Name in CallName as SpaceOf<Name> extends Space ? MethodOf<Name> : never]: (
      ...input: Arguments<Name>
    ) => Promise<Output<Name>>;
  };
};

export function createNamespaces(client: Client): Namespaces {
  const spaces: Record<string, Record<string, (input?: unknown) => unknown>> = {};
  for (const name of endpointNames) {
    const dot = name.indexOf('.');
    const methods = (spaces[camel(name.slice(0, dot))] ??= {});
    methods[camel(name.slice(dot + 1))] = (input) =>
      client.call(name as 'health.get', input as CallInput<'health.get'>);
  }
  return spaces as unknown as Namespaces;
}

function camel(text: string): string {
  return text.replaceAll(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase());
}
