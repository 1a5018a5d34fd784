import { config } from '@lilac/contract/config';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { searchDocs } from '../docs/search-docs.ts';

export const knowledgeTools = [
  defineTool({
    name: 'search_docs',
    title: 'Search the documentation',
    description:
      'Search the documentation of Lilac and the endpoints of its HTTP API. Use it for how something works, what a setting is called, what an error code means. Each result names a resource that has the whole page.',
    access: 'read',
    input: z.object({
      query: z.string().min(1).max(300).describe('A few words.'),
      limit: z.int().min(1).max(10).default(5),
    }),
    output: z.object({
      results: z.array(z.object({ title: z.string(), uri: z.string(), excerpt: z.string() })),
      matches: z.int().describe('How many there are altogether.'),
    }),
    run: ({ input: { query, limit } }) => Promise.resolve(searchDocs(query, limit)),
  }),
  defineTool({
    name: 'get_catalogue',
    title: 'Show what the platform offers',
    description:
      'Show regions, sizes of containers, tiers and types of databases, known frameworks, plans and limits of this platform.',
    access: 'read',
    input: z.object({}),
    output: config['config.platform'].output,
    run: ({ lilac, signal }) => lilac.call('config.platform', { signal }),
  }),
];
