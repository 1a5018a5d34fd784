import type { z } from 'zod';
import type { EndpointDeclaration } from './endpoint.ts';

export interface DeclaredEvent {
  name: string;
  data: z.ZodType;
}

/** What a stream tells: each field of its output is an event. */
export function eventsOf({ output }: EndpointDeclaration): DeclaredEvent[] {
  const { shape } = output as z.ZodObject<Record<string, z.ZodType>>;
  return Object.entries(shape).map(([name, data]) => ({ name, data }));
}
