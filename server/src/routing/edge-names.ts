import { hostname } from 'node:os';
import type { Config } from '../config.ts';

/** What the names of all edges of a host begin with. */
export const edgeNamesOf = ({ home }: Pick<Config, 'home'>): string => `${hostname()} ${home} `;
